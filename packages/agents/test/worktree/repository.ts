import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A repository of its own with some files and one commit. */
export interface TestRepository extends Disposable {
  root: string
  git(...args: string[]): string
  write(file: string, text: string): void
  /** All that must be the same before and after: files, index, HEAD, branches that are not ours, status. */
  state(): object
  /** Names of the trees that are there. */
  trees(): string[]
}

export function createRepository(
  files: Record<string, string> = { 'a.txt': 'a\n', 'src/b.txt': 'b\n' },
): TestRepository {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-git-')))
  const root = join(base, 'project')
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', env: GIT_ENV })
  const repository: TestRepository = {
    root,
    git,
    write(file, text) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    },
    state: () => ({
      head: git('rev-parse', 'HEAD'),
      on: git('symbolic-ref', 'HEAD'),
      status: git('status', '--porcelain', '--branch'),
      index: git('ls-files', '--stage'),
      branches: git('for-each-ref')
        .split('\n')
        .filter(line => !line.includes('refs/heads/tutti/')),
      config: readFileSync(join(root, '.git', 'config'), 'utf8'),
      exclude: readFileSync(join(root, '.git', 'info', 'exclude'), 'utf8'),
      files: git('ls-files')
        .split('\n')
        .filter(Boolean)
        .map(name => readFileSync(join(root, name), 'utf8')),
    }),
    trees() {
      try {
        return readdirSync(join(root, '.claude', 'worktrees')).filter(name => name !== '.gitignore')
      } catch {
        return []
      }
    },
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  }
  mkdirSync(root)
  git('init', '--quiet', '--initial-branch=main')
  for (const [file, text] of Object.entries(files)) repository.write(file, text)
  git('add', '--all')
  git('-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '-m', 'first')
  return repository
}

/** Settings of the machine play no part. */
export const GIT_ENV: NodeJS.ProcessEnv = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
}
