import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FileStep } from './kill-point.ts'
import type { Project } from './project.ts'

const preload = new URL('die.mjs', import.meta.url).href
const program = fileURLToPath(new URL('../../../../apps/cli/dist/bin.js', import.meta.url))

export interface Finished {
  /** Exit code, or the name of the signal. */
  exit: number | string
  stdout: string
  stderr: string
}

export interface Started {
  child: ChildProcess
  finished: Promise<Finished>
}

/** Runs the built command to its end. */
export async function tutti(project: Project, args: string[]): Promise<Finished> {
  return await startTutti(project, args).finished
}

/** Starts the built command with a clean environment. `die`: where it kills itself. */
export function startTutti(project: Project, args: string[], die?: FileStep): Started {
  if (!existsSync(program)) throw new Error(`${program} is missing: build first (pnpm build)`)
  const child = spawn(process.execPath, [...(die ? ['--import', preload] : []), program, ...args], {
    cwd: project.path,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: project.root,
      CLAUDE_CONFIG_DIR: project.root,
      NO_COLOR: '1',
      ...(die && { TUTTI_TEST_DIE: JSON.stringify(die) }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => (texts[name] += chunk))
  }
  const finished = once(child, 'close').then(([code, signal]): Finished => ({
    exit: (code as number | null) ?? String(signal),
    ...texts,
  }))
  return { child, finished }
}
