import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { framesIn, type Frame } from './session-project.ts'

/** The command as a process of its own. */
export interface RealSession {
  child: ChildProcess
  send(frame: object): void
  frames(): Frame[]
  stderr(): string
  /** Exit code, or the name of the signal. */
  ended: Promise<number | string>
}

/** Node starts no TypeScript, so the command is bundled once per test file. */
export async function bundleCommand(folder: string): Promise<string> {
  const build = await rolldown({
    input: fileURLToPath(new URL('../../../src/bin.ts', import.meta.url)),
    platform: 'node',
    transform: { target: 'node20.19' },
    resolve: { conditionNames: ['@tutti/source', 'node', 'import', 'default'] },
    logLevel: 'silent',
  })
  await build.write({ dir: folder, format: 'esm' })
  await build.close()
  return `${folder}/bin.js`
}

export function startSession(
  program: string,
  argv: string[],
  surroundings: { cwd: string; env: Record<string, string> },
): RealSession {
  const child = spawn(process.execPath, [program, ...argv], {
    cwd: surroundings.cwd,
    env: { PATH: process.env['PATH'] ?? '', ...surroundings.env },
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => (texts[name] += chunk))
  }
  child.stdin.on('error', () => {})
  return {
    child,
    send: frame => void child.stdin.write(`${JSON.stringify(frame)}\n`),
    frames: () => framesIn(texts.stdout.slice(0, texts.stdout.lastIndexOf('\n') + 1)),
    stderr: () => texts.stderr,
    ended: once(child, 'close').then(([code, signal]) => (code as number | null) ?? String(signal)),
  }
}
