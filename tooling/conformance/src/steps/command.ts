import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Workspace } from './workspace.ts'

/** The root of the repository: the nearest folder above with a workspace file. */
export const repository: string = nearest(dirname(fileURLToPath(import.meta.url)))

const program = join(repository, 'apps/cli/dist/bin.js')

/** A started command. */
export interface Command {
  child: ChildProcess
  /** Text so far. */
  stdout(): string
  stderr(): string
  ended(): boolean
  /** Exit code, or the name of the signal. */
  exit: Promise<number | string>
}

/** Starts `tutti` in the working directory with nothing of this process's environment but the path. */
export function startCommand(
  args: string[],
  setting: { workspace: Workspace; env: Record<string, string> },
): Command {
  const { workspace, env } = setting
  const child = spawn(process.execPath, [program, ...args], {
    cwd: workspace.work,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: workspace.aside,
      CLAUDE_CONFIG_DIR: workspace.root,
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => (texts[name] += chunk))
  }
  let over = false
  const exit = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  }).finally(() => (over = true))
  exit.catch(() => {})
  return { child, stdout: () => texts.stdout, stderr: () => texts.stderr, ended: () => over, exit }
}

function nearest(folder: string): string {
  if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return folder
  if (dirname(folder) === folder) throw new Error('no pnpm-workspace.yaml above the conformance runner')
  return nearest(dirname(folder))
}
