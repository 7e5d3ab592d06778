import type { JsonValue } from '@tutti/protocol'
import { onTestFinished } from 'vitest'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { PumpResult, Sandbox, SandboxOptions, ScriptEffect } from '../../src/sandbox/types.ts'

export type Options = Partial<Omit<SandboxOptions, 'source'>>
export type AgentEffect = Extract<ScriptEffect, { type: 'agent' }>

export const META = "export const meta = { name: 'test', description: 'a test' }\n"

/** A sandbox with small limits around a script body that begins on line 2. Ended with the test. */
export async function openScript(body: string, options: Options = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({
    source: META + body,
    run: { id: 'wf_00000000-000', startedAt: 1_700_000_000_000 },
    budgetTotal: null,
    entries: 4096,
    scriptCpuMs: 2000,
    scriptMemoryMiB: 32,
    ...options,
  })
  onTestFinished(() => sandbox.terminate())
  return sandbox
}

/** The first stretch of a script. */
export async function startScript(body: string, options: Options = {}): Promise<PumpResult> {
  const sandbox = await openScript(body, options)
  return sandbox.deliver({ type: 'start' })
}

/** What a script that waits for nothing returns. */
export async function valueOf(body: string, options: Options = {}): Promise<JsonValue | undefined> {
  const { state } = await startScript(body, options)
  if (state.status !== 'returned') throw new Error(`did not return: ${JSON.stringify(state)}`)
  return state.value
}

/** What a script that waits for nothing throws. */
export async function errorOf(
  body: string,
  options: Options = {},
): Promise<Extract<PumpResult['state'], { status: 'threw' }>['error']> {
  const { state } = await startScript(body, options)
  if (state.status !== 'threw') throw new Error(`did not throw: ${JSON.stringify(state)}`)
  return state.error
}

export interface Finished extends PumpResult {
  effects: ScriptEffect[]
}

/** Runs a script to its end; each agent answers what `answer` makes of its effect, in the order of the calls. */
export async function runScript(
  body: string,
  answer: (effect: AgentEffect) => JsonValue,
  options: Options = {},
): Promise<Finished> {
  const sandbox = await openScript(body, options)
  let result = await sandbox.deliver({ type: 'start' })
  const effects = [...result.effects]
  const queue = agentsOf(result)
  for (
    let next = queue.shift();
    next !== undefined && result.state.status === 'waiting';
    next = queue.shift()
  ) {
    result = await sandbox.deliver({ type: 'resolve', id: next.id, value: answer(next), spent: 0 })
    effects.push(...result.effects)
    queue.push(...agentsOf(result))
  }
  return { effects, state: result.state }
}

function agentsOf(result: PumpResult): AgentEffect[] {
  return result.effects.filter(effect => effect.type === 'agent')
}
