import { spawnSync } from 'node:child_process'
import { findCommand } from '../find-command.ts'
import { CONFINED } from './bubblewrap.ts'

type Environment = Record<string, string | undefined>

/** Whether commands of agents can be confined here. */
export interface SandboxReport {
  usable: boolean
  name: string
  command?: string
  version?: string
  /** What is missing. */
  note?: string
}

const TRIAL_MS = 5_000

/** Found out by trying: a system may have the program and forbid what it needs. */
export function probeSandbox(env: Environment): SandboxReport {
  const name = 'bubblewrap'
  if (process.platform !== 'linux')
    return { usable: false, name, note: `there is no sandbox for ${process.platform} yet` }
  const command = findCommand('bwrap', env)
  if (command === undefined)
    return { usable: false, name, note: 'no command "bwrap" on the PATH; install the package bubblewrap' }
  const options = { env: {}, timeout: TRIAL_MS, encoding: 'utf8' } as const
  const version = spawnSync(command, ['--version'], options).stdout?.trim().split(' ').at(-1)
  const common = { name, command, ...(version !== undefined && { version }) }
  const trial = spawnSync(command, [...CONFINED, '--unshare-net', '--', '/bin/sh', '-c', 'exit 0'], options)
  if (trial.status === 0) return { usable: true, ...common }
  const said =
    trial.stderr?.trim().split('\n').at(-1) || trial.error?.message || `it ended with ${trial.signal}`
  return { usable: false, ...common, note: `${command} cannot work here: ${said}` }
}
