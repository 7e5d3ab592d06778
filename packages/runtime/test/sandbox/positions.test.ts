import { expect, test } from 'vitest'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { onTestFinished } from 'vitest'
import { errorOf, startScript } from './script-run.ts'

async function open(source: string): Promise<Sandbox> {
  const sandbox = await openSandbox({
    source,
    run: { id: 'r', startedAt: 0 },
    budgetTotal: null,
    entries: 10,
    scriptCpuMs: 1000,
    scriptMemoryMiB: 32,
  })
  onTestFinished(() => sandbox.terminate())
  return sandbox
}

/** First frame of what a whole source throws. */
async function frameOf(source: string): Promise<string | undefined> {
  const { state } = await (await open(source)).deliver({ type: 'start' })
  return state.status === 'threw' ? state.error.stack?.split('\n')[0] : JSON.stringify(state)
}

test('line 1 has its own columns', async () => {
  const source = "export const meta = { name: 'a', description: 'b' }; throw new Error('x')"
  expect(await frameOf(source)).toBe(`at workflow.js:1:${source.indexOf('new Error') + 1}`)
})

test('BOM, hash-bang, CRLF, directive and comments before meta move nothing', async () => {
  const source =
    "\uFEFF#!/usr/bin/env tutti\r\n'use strict'\r\n// c\r\n/* d */ export const meta = { name: 'a', description: 'b' }\r\n  throw new Error('x')\r\n"
  expect(await frameOf(source)).toBe('at workflow.js:5:9')
})

test('columns point at the name, in UTF-16 units, in any kind of expression', async () => {
  const lines = [
    "throw new Error('new')",
    "  throw  new  RangeError ('blanks')",
    'null.foo.bar',
    'const o = {}; o.deep.deeper',
    'const s = "\u{1F600}\u{1F600}"; undefinedFunction(s)',
    'args()',
    'const f = { g: 1 }; f.g()',
    '[1].map(() => { throw new TypeError("in map") })',
    "JSON.parse('{')",
    'missing',
    "await (async () => { await null; throw new Error('async') })()",
  ]
  const { effects } = await startScript(
    `await parallel([\n${lines.map(line => `async () => {\n${line}\n}`).join(',\n')}\n])`,
  )
  const frames = effects.map(effect => effect.type === 'dropped' && effect.error.stack?.split('\n')[0])
  const at = (index: number): string => `at workflow.js:${4 + 3 * index}`
  expect(new Set(frames)).toEqual(
    new Set([
      `${at(0)}:7`,
      `${at(1)}:10`,
      `${at(2)}:6`,
      `${at(3)}:22`,
      `${at(4)}:19`,
      `${at(5)}:1`,
      `${at(6)}:23`,
      `${at(7)}:23`,
      `${at(8)}:6`,
      `${at(9)}:1`,
      `${at(10)}:40`,
    ]),
  )
})

test('frames name the functions of the script and nothing else', async () => {
  const { stack } = await errorOf(
    "function inner() {\n  throw new Error('x')\n}\nconst outer = () => inner()\nouter()",
  )
  expect(stack).toBe('at inner (workflow.js:3:9)\nat outer (workflow.js:5:21)\nat workflow.js:6:1')
})

test('a syntax error that only the engine sees has its place', async () => {
  expect(await errorOf('const a = 1\nlet b = (;')).toMatchObject({
    name: 'SyntaxError',
    stack: 'at workflow.js:3:10',
  })
})

test('a place is that of the call, wherever the primitive is called from', async () => {
  const { effects } = await startScript(
    `const ask = text => agent(text)
ask('a'); [1].forEach(() => agent('b')); agent . settled ('c'); (() => workflow('d'))()
await new Promise(() => {})`,
  )
  expect(effects.map(effect => 'place' in effect && effect.place)).toEqual([
    'workflow.js:2:21',
    'workflow.js:3:29',
    'workflow.js:3:50',
    'workflow.js:3:72',
  ])
})

test('a primitive that no line of the script calls has no place', async () => {
  const { effects } = await startScript("Promise.resolve('x').then(agent)\nawait new Promise(() => {})")
  expect(effects).toMatchObject([{ type: 'agent', prompt: 'x' }])
  expect(effects[0]).not.toHaveProperty('place')
})
