import { mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import { main } from '../../src/main.ts'
import './loaded.ts'
import { createTestIo, type TestIo, type TestIoOptions } from './test-io.ts'

// Each of these tests runs the command several times; how long that takes is the machine's affair.
vi.setConfig({ testTimeout: 30_000 })

export const TWO_AGENTS = `export const meta = { name: 'pair', description: 'Two agents', phases: ['Only'] }
phase('Only')
log('hello from the script')
return parallel(['a', 'b'].map(label => () => agent('say ' + label, { label })))
`

/** Three agents, each after the one before it. */
export const CHAIN = `export const meta = { name: 'chain', description: 'x' }
const seen = []
for (const label of ['one', 'two', 'three']) seen.push(await agent('say ' + label, { label }))
return seen
`

export const RUN_ID_IN_TEXT: RegExp = /wf_[0-9a-f]{8}-[0-9a-f]{3}/

/** Waits for what happens in this process. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

/** A project folder and a configuration folder of their own. */
export interface SandboxProject {
  cwd: string
  root: string
  write(file: string, text: string): Promise<void>
  io(options?: Partial<TestIoOptions>): TestIo
  /** Runs the command to its end. */
  tutti(...argv: string[]): Promise<{ code: number; out: string; err: string }>
  /** `--backend` for a table of what each agent does. */
  scripted(agents: object): Promise<string>
  /** Files below the configuration folder. */
  files(): Promise<string[]>
  /** Every file below the two folders with its text and time, to see that nothing was touched. */
  tree(): Promise<Record<string, string>>
  /** Runs the pair of agents with these outcomes; gives the id of the run. */
  runOf(agents: object, ...argv: string[]): Promise<string>
  remove(): Promise<void>
}

export async function createSandboxProject(files: Record<string, string> = {}): Promise<SandboxProject> {
  const base = await mkdtemp(join(tmpdir(), 'tutti-cli-'))
  const cwd = join(base, 'project')
  const root = join(base, 'config')
  await mkdir(cwd)
  const io = (options: Partial<TestIoOptions> = {}): TestIo =>
    createTestIo({
      cwd,
      ...options,
      env: { HOME: base, CLAUDE_CONFIG_DIR: root, TUTTI_SIMULATE_SPEED: 'instant', ...options.env },
    })
  const project: SandboxProject = {
    cwd,
    root,
    io,
    async write(file, text) {
      await mkdir(dirname(join(cwd, file)), { recursive: true })
      await writeFile(join(cwd, file), text)
    },
    async tutti(...argv) {
      const used = io()
      const code = await main(argv, used)
      return { code, out: used.stdout.text(), err: used.stderr.text() }
    },
    async scripted(agents) {
      await project.write('table.json', JSON.stringify(agents))
      return `--backend=scripted:${join(cwd, 'table.json')}`
    },
    async tree() {
      const found: Record<string, string> = {}
      for (const entry of await readdir(base, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        const { mtimeMs } = await stat(path)
        found[path] = `${mtimeMs} ${entry.isFile() ? await readFile(path, 'utf8') : 'folder'}`
      }
      return found
    },
    async runOf(agents, ...argv) {
      const script = argv.length === 0 ? ['pair.js'] : argv
      const { err } = await project.tutti('run', ...script, await project.scripted(agents))
      return RUN_ID_IN_TEXT.exec(err)?.[0] ?? ''
    },
    files: () => readdir(root, { recursive: true }).catch((): string[] => []),
    remove: () => rm(base, { recursive: true, force: true }),
  }
  for (const [file, text] of Object.entries(files)) await project.write(file, text)
  return project
}
