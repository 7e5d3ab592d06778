import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime } from '@tutti/runtime'
import { openStore } from '@tutti/storage'

const source = `
export const meta = { name: 'greetings', description: 'Greets everyone' }
return await parallel(args.names.map(name => () => agent('Hello ' + name, { label: name })))
`

/** Runs an agent: here a plain function, in your program whatever answers a prompt. @type {import('@tutti/runtime').AgentExecutor} */
const executor = {
  backendOf: () => 'shouting',
  capabilities: () => ({ schema: 'none', usage: 'none', maxTurns: false, isolation: false }),
  start: call => ({ events: (async function* () {})(), result: shout(call.prompt), cancel() {} }),
}

/** @type {(prompt: string) => Promise<import('@tutti/runtime').AgentOutcome>} */
async function shout(prompt) {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 }
  return { status: 'ok', value: `${prompt.toUpperCase()}!`, effects: 'none', usage }
}

const root = await mkdtemp(join(tmpdir(), 'greetings-'))
const runtime = createRuntime({ executor, store: openStore({ root, cwd: process.cwd() }) })

const run = await runtime.launch({ source }, { args: { names: ['Ada', 'Grace'] } })
const first = await run.result
assert.deepEqual(first.value, ['HELLO ADA!', 'HELLO GRACE!'])

const again = await (await runtime.resume(run.runId)).result
assert.deepEqual(again.value, first.value)
assert.equal(again.dispatched, 0)
console.log(`${run.runId} is ${again.status}: ${JSON.stringify(again.value)}`)
