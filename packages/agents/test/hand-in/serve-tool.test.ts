import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serveTool } from '../../src/hand-in/serve-tool.ts'
import {
  createStructuredOutput,
  STRUCTURED_OUTPUT,
  type StructuredOutput,
} from '../../src/hand-in/structured-output.ts'
import { stageFor } from '../stage/stage.ts'

let folder: string

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tutti-tool-'))))
afterEach(() => rmSync(folder, { recursive: true }))

async function outputFor(): Promise<StructuredOutput> {
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } }
  const { context } = await stageFor(schema)
  const submit = context.submit as NonNullable<typeof context.submit>
  return createStructuredOutput({ schema, submit, onSubmitted: () => {} })
}

test('an object comes through the standard streams of the command', async () => {
  const output = await outputFor()
  await using served = await serveTool(output.tool, folder)
  const child = spawn(served.command.command, served.command.args)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const call = async (input: string): Promise<unknown> => {
    const params = `{"name":"${STRUCTURED_OUTPUT}","arguments":${input}}`
    child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}\n`)
    return JSON.parse(String((await lines.next()).value))
  }
  expect(await call('{"n":"x"}')).toMatchObject({ result: { isError: true } })
  expect(await call('{"n":1e999}')).toMatchObject({ result: { isError: true } })
  expect(await call('{"n":1}')).toMatchObject({ result: { isError: false } })
  expect(await call('{"n":2}')).toMatchObject({ result: { isError: false } })
  expect(output.submitted.accepted).toEqual({ value: { n: 1 } })
  child.stdin.write('not json\n')
  expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ error: { code: -32600 } })
  child.stdin.end()
  await once(child, 'exit')
})

test('the command ends when the tool is gone', async () => {
  const output = await outputFor()
  const served = await serveTool(output.tool, folder)
  const child = spawn(served.command.command, served.command.args)
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  await once(child.stdout, 'data')
  await served[Symbol.asyncDispose]()
  await once(child, 'exit')
})
