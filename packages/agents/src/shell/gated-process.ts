import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { findCommand } from '../find-command.ts'
import type { ProcessGroups } from '../process-groups.ts'

export interface GatedProcess<Input extends 'ignore' | 'pipe'> {
  argv: string[]
  cwd: string
  env: Record<string, string>
  stdin: Input
  /** Told of the group before anything runs; whoever ends it takes it off again. */
  groups?: ProcessGroups
}

/** Its input is there when it was asked for. */
export type GatedChild<Input extends 'ignore' | 'pipe'> = ChildProcessByStdio<
  Input extends 'pipe' ? Writable : null,
  Readable,
  Readable
>

/**
 * Waits for a word on descriptor 3 before it becomes the command: until the group is known to those who end it with
 * us, nothing runs. Without the word, because we are gone, nothing ever does.
 */
const GATE = 'read -r go <&3 || exit 125; exec 3<&-; exec "$@"'

/**
 * Starts a command as the leader of a process group of its own. Throws an error with code ENOENT where there is no
 * such command. Windows has neither groups nor the gate.
 */
export function startGated<Input extends 'ignore' | 'pipe'>(options: GatedProcess<Input>): GatedChild<Input> {
  const { cwd, env, stdin, groups } = options
  const [command, ...args] = isWindows ? options.argv : ['/bin/sh', '-c', GATE, 'sh', ...found(options)]
  const child = spawn(command ?? '', args, {
    cwd,
    env,
    detached: true,
    windowsHide: true,
    stdio: [stdin, 'pipe', 'pipe', 'pipe'],
  }) as GatedChild<Input>
  if (child.pid !== undefined) groups?.add(child.pid)
  const word = child.stdio[3] as Writable
  word.on('error', () => {})
  word.end('go\n')
  return child
}

const isWindows = process.platform === 'win32'

/** Looked for here: what the shell behind the gate cannot find would look like a command that failed. */
function found({ argv, cwd, env }: GatedProcess<'ignore' | 'pipe'>): string[] {
  const [command = '', ...args] = argv
  const path = findCommand(command.includes('/') ? resolve(cwd, command) : command, env)
  if (path === undefined) throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' })
  return [path, ...args]
}
