import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { inject } from 'vitest'
import type { ProjectFolder } from './project-folder.ts'

export interface Finished {
  /** Exit code, or the name of the signal. */
  exit: number | string
  stdout: string
  stderr: string
}

export interface Started {
  child: ChildProcess
  stdout(): string
  stderr(): string
  finished: Promise<Finished>
}

export interface Surroundings {
  project: ProjectFolder
  env?: Record<string, string>
  /** The command that runs the program; default: this Node. */
  node?: string[]
}

/** Runs the installed `tutti` to its end. */
export function tutti(args: string[], surroundings: Surroundings): Promise<Finished> {
  return startTutti(args, surroundings).finished
}

/** Starts the installed `tutti` with a clean environment. */
export function startTutti(args: string[], surroundings: Surroundings): Started {
  const [command = process.execPath, ...before] = surroundings.node ?? [process.execPath]
  return start(command, { args: [...before, inject('installation').program, ...args], surroundings })
}

/** Starts any program as the user of a project would. */
export function start(command: string, given: { args: string[]; surroundings: Surroundings }): Started {
  const { project, env } = given.surroundings
  const child = spawn(command, given.args, {
    cwd: project.path,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: project.root,
      CLAUDE_CONFIG_DIR: project.root,
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => (texts[name] += chunk))
  }
  const finished = once(child, 'close').then(([code, signal]): Finished => ({
    exit: (code as number | null) ?? String(signal),
    ...texts,
  }))
  return { child, stdout: () => texts.stdout, stderr: () => texts.stderr, finished }
}
