import { homedir } from 'node:os'
import type { SandboxSettings } from '@tutti/protocol'
import { WorkflowInputError } from '@tutti/runtime'
import { createBubblewrap } from './bubblewrap.ts'
import { probeSandbox } from './probe-sandbox.ts'
import type { Sandbox } from './sandbox.ts'

type Environment = Record<string, string | undefined>

/**
 * The sandbox that the settings ask for; undefined without one, and where `auto` finds none. Throws
 * WorkflowInputError `settings-invalid` when one is required and there is none.
 */
export function openSandbox(settings: SandboxSettings | undefined, env: Environment): Sandbox | undefined {
  const { mode = 'off', network = false } = settings ?? {}
  if (mode === 'off') return undefined
  const { usable, command, note } = probeSandbox(env)
  if (usable && command !== undefined)
    return createBubblewrap({ command, home: env['HOME'] || homedir(), network })
  if (mode === 'required') throw new WorkflowInputError('settings-invalid', unusable(note))
  return undefined
}

/** Why nothing may run here; undefined when nothing speaks against it. */
export function sandboxProblem(settings: SandboxSettings | undefined, env: Environment): string | undefined {
  if (settings?.mode !== 'required') return undefined
  const { usable, note } = probeSandbox(env)
  return usable ? undefined : unusable(note)
}

function unusable(note: string | undefined): string {
  return `tutti.sandbox.mode is "required", and commands cannot be confined here: ${note ?? 'no sandbox was found'}`
}
