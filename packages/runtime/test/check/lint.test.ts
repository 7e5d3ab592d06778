import { describe, expect, test } from 'vitest'
import { checkBody, errorsOf, findingsOf, summary } from './script.ts'

function rules(body: string): string[] {
  return findingsOf(checkBody(body)).map(({ rule, severity }) => `${severity} ${rule}`)
}

describe('modules', () => {
  test.each([
    ["import a from 'a'", 1],
    ["import 'a'", 1],
    ["if (1) { import { a } from 'a' }", 10],
    ["const a = await import('a')", 17],
    ['log(import.meta.url)', 5],
    ['export const other = 1', 1],
    ['const a = 1\nexport { a }', 1],
    ['export default 1', 1],
    ["export * from 'a'", 1],
    ['export function f() {}', 1],
  ])('are refused: %s', (body, column) => {
    const errors = errorsOf(checkBody(body))
    expect(errors.map(({ rule }) => rule)).toEqual(['module'])
    expect(errors[0]?.column).toBe(column)
  })
})

describe('clock and chance', () => {
  test.each([
    'const t = Date.now()',
    'const t = Date?.now()',
    'const t = Date.now?.()',
    'const t = new Date()',
    'const t = new Date',
    'const t = Date()',
    'const t = Math.random()',
    'const f = () => { return [1].map(() => Math.random()) }',
    'const t = `${Date.now()}`',
    'class A { x = Math.random() }',
    'function f(t = Date.now()) {}',
  ])('are refused: %s', body => {
    expect(rules(body)).toEqual(['error determinism'])
  })

  test('say the way out', () => {
    const [clock, chance] = errorsOf(checkBody('log(Date.now())\nlog(Math.random())'))
    expect(clock).toMatchObject({
      line: 2,
      column: 5,
      message: expect.stringContaining('use run.startedAt') as string,
    })
    expect(chance).toMatchObject({
      line: 3,
      column: 5,
      message: expect.stringContaining('index in the prompt') as string,
    })
  })

  test.each([
    "const t = Math['random']()",
    'const t = globalThis.Date.now()',
    'const t = new globalThis.Date()',
    'const now = Date.now',
    'const t = Date(0)',
    'const t = [1].map(Math.random)',
  ])('are only warned of by a roundabout way, which throws when it runs: %s', body => {
    expect(rules(body)).toEqual(['warning determinism'])
  })

  test.each([
    'const t = new Date(0).toISOString()',
    'const t = new Date(run.startedAt)',
    'const t = Date.UTC(2026, 1) + Date.parse("2026-01-01") + Math.max(1, 2)',
    'const t = x => x instanceof Date || typeof Date.now',
    'const Date = { now: () => 1 }\nlog(Date.now())',
    'const f = Math => Math.random()',
    'const t = { Date: 1, Math: 2 }.Math',
    'const o = { now() {} }\no.now()',
    'const D = Date, M = Math',
    "const t = () => globalThis['Da' + 'te'].now()",
    'const t = () => Date.prototype.constructor.now()',
    'const t = () => new Date(0).constructor.now()',
  ])('are not seen in %s', body => {
    expect(rules(body)).toEqual([])
  })
})

describe('code from text', () => {
  test.each(["eval('1')", 'const e = eval', "new Function('a', 'return a')", "Function('return 1')()"])(
    'is warned of: %s',
    body => expect(rules(body)).toEqual(['warning code-generation']),
  )

  test.each(['const f = x => x instanceof Function', 'const eval2 = 1', 'typeof eval'])(
    'is not seen in %s',
    body => {
      expect(rules(body)).toEqual([])
    },
  )
})

describe('globals that do not exist', () => {
  test.each([
    ["const fs = require('fs')", 'a script is one file'],
    ['log(process.env.HOME)', 'pass what you need in args'],
    ["await fetch('https://example.com')", 'an agent does this kind of work'],
    ["Buffer.from('a')", 'TextEncoder'],
    ['setInterval(() => {}, 10)', 'the only timer is setTimeout'],
    ['performance.now()', 'run.startedAt'],
    ['crypto.randomUUID()', 'no randomness'],
    ['new WeakRef({})', 'differ from run to run'],
    ['await paralell([])', 'did you mean parallel?'],
    ['log(wibble)', 'wibble is not defined'],
  ])('are warned of: %s', (body, message) => {
    const [finding] = findingsOf(checkBody(body))
    expect(finding).toMatchObject({ rule: 'unknown-global', severity: 'warning' })
    expect(finding?.message).toContain(message)
  })

  test('are reported once each', () => {
    expect(summary(checkBody('log(process.a)\nlog(process.b, fetch)'))).toEqual([
      'unknown-global 2:5',
      'unknown-global 3:16',
    ])
  })

  test.each([
    "return typeof process === 'undefined' && typeof require",
    'const process = 1\nreturn process',
    'function f(fetch) { return () => fetch }',
    'try { log(1) } catch (require) { log(require) }',
    'for (const Buffer of []) log(Buffer)',
    'for (let global = 0; global < 1; global++) log(global)',
    'for (const self in {}) log(self)',
    'const { a: { process = 1, ...Buffer }, b: [fetch] } = args\nlog(process, Buffer, fetch)',
    'log(hoisted)\n{ var hoisted = 1 }',
    'f()\nfunction f() { log(inner); if (1) { var inner = 1 } }',
    'const o = { process: 1, fetch() {} }\nlog(o.process, o.fetch)',
    'class Buffer { window = 1 }\nlog(new Buffer().window)',
    'const f = function module() { return module }\nconst g = class exports { x() { return exports } }\nlog(f, g)',
    'switch (1) { case 1: let document = 1; log(document) }',
    'class A { static { var window = 1; log(window) } }\nlog(A)',
    'function f() { return arguments }\nlog(f, args, budget, run, meta, ask, console)',
    'process: for (;;) break process',
  ])('are not seen in %s', body => {
    expect(rules(body)).toEqual([])
  })

  test('are seen outside the scope that declares the name', () => {
    expect(summary(checkBody('{ const process = 1; log(process) }\nlog(process)'))).toEqual([
      'unknown-global 3:5',
    ])
  })
})

describe('calls nobody awaits', () => {
  test.each([
    "agent('x')",
    "agent.settled('x')",
    "agent?.('x')",
    "workflow('w')",
    'parallel([])',
    'pipeline([], x => x)',
    "agent('x').then(log)",
    "agent('x').then(log).catch(log)",
    "if (args) agent('x')",
    "args.forEach(x => agent('x' + x))",
    "args.forEach(async x => { await agent('x' + x) })",
  ])('are warned of: %s', body => {
    expect(rules(body)).toEqual(['warning floating-agent'])
  })

  test.each([
    "await agent('x')",
    "const p = agent('x')\nawait p",
    "return agent('x')",
    "void agent('x')",
    "const f = () => agent('x')\nawait f()",
    "await Promise.all([1].map(x => agent('x' + x)))",
    'const agent = { run() {} }\nagent.run()',
    "function f(agent) { agent('x') }\nlog(f)",
    'args.forEach(x => log(x))',
    'args.forEach(agent => agent.then(log))',
  ])('are not seen in %s', body => {
    expect(rules(body)).toEqual([])
  })
})

describe('promises given to parallel', () => {
  test.each([
    ["return parallel([agent('a')])", 18],
    ["return parallel([() => agent('a'), agent('b')])", 36],
    ["return parallel([await agent('a')])", 18],
    ["return parallel([agent('a').then(log)])", 18],
    ['return parallel(args.map(x => agent(x)))', 31],
    ['return parallel(args.map(async x => { const y = await agent(x); return y }))', 65],
    ['return parallel(args.map(function (x) { return agent(x) }))', 41],
    ['return parallel(args.map(async x => 1))', 37],
  ])('are warned of: %s', (body, column) => {
    expect(summary(checkBody(body))).toEqual([`promises-not-functions 2:${column}`])
  })

  test.each([
    "return parallel([() => agent('a')])",
    'return parallel(args.map(x => () => agent(x)))',
    'return parallel(args.map(x => async () => agent(x)))',
    'return parallel(args.map(x => { return () => agent(x) }))',
    'return parallel(tasks())\nfunction tasks() { return [] }',
    'const parallel = Promise.all.bind(Promise)\nreturn parallel([agent(1)])',
    'return parallel(args.map(agent => agent()))',
  ])('are not seen in %s', body => {
    expect(rules(body)).toEqual([])
  })
})
