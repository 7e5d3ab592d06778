import { describe, expect, test } from 'vitest'
import { checkScript } from '../../src/check/check-script.ts'
import { checkBody, errorsOf, META, summary } from './script.ts'

describe('TypeScript', () => {
  test.each([
    ['const a: number = 1', 8],
    ['let x: string', 6],
    ['let x!: string', 6],
    ['var a, b: string[]', 9],
    ['const { a }: Props = c', 12],
    ['const x: Array<Map<string, number>> = []', 8],
    ['const m: Record<string, () => void> = {}', 8],
    ["const k: 'a' | 'b' = 'a'", 8],
    ['for (const x: T of y) {}', 13],
    ['function f(a: string) {}', 13],
    ['function f(this: A) {}', 16],
    ['function f(a?: string) {}', 13],
    ['function f(a: string = "x", b) {}', 13],
    ['function f({ a }: { a: string }) {}', 17],
    ['function f(...a: string[]) {}', 16],
    ['const f = (a: string) => 1', 13],
    ['const f = (a?: string) => 1', 14],
    ['const f = async (a: string): Promise<void> => {}', 19],
    ['const f = (): void => {}', 13],
    ['const f = (a): string => a', 14],
    ['async function f(x): Promise<void> {}', 20],
    ['function f(x): asserts x is string {}', 14],
    ['const o = { f(x: A) {} }', 16],
    ['try {} catch (e: unknown) {}', 16],
    ['class A { x: number }', 12],
    ['class A { private x = 1 }', 11],
    ['class A { constructor(private x) {} }', 23],
    ['class A implements B {}', 9],
    ['class A<T> {}', 8],
    ['class A extends B<T> {}', 18],
    ['abstract class A {}', 1],
    ['interface A { b: string }', 1],
    ['type A = string', 1],
    ['enum A { B }', 1],
    ['const enum A { B }', 7],
    ['namespace A {}', 1],
    ['declare const a', 1],
    ['export type A = 1', 8],
    ["import type { A } from 'b'", 8],
    ["import { type A } from 'b'", 10],
    ['const a = args as string', 16],
    ['const a = [1] as const', 15],
    ["const r = (await agent('x')) as { a: string }[]", 30],
    ['const a = args satisfies A', 16],
    ['log(args!.x)', 9],
    ['log(args!)', 9],
    ['const s = new Set<string>()', 18],
    ['const s = new Map<string, Map<string, number>>()', 18],
    ["const r = await agent<Report>('x')", 22],
    ["const r = await agent<string[]>('x')", 22],
    ['function f<T>(x) {}', 11],
    ['const f = <T,>(x: T) => x', 11],
    ['const a = <string>args', 11],
  ])('is named at its place: %s', (code, column) => {
    const result = checkBody(code)
    expect(summary(result)[0]).toBe(`typescript 2:${column}`)
    expect(errorsOf(result)[0]?.message).toContain('TypeScript')
  })

  test.each([
    'const x = { a: }',
    'const x = { a: 1',
    'const x = { a: 1 b: 2 }',
    'f(1',
    "agent('x', label: 'y')",
    "await agent('x', label: 'y') {",
    'const f = () => { label: 1, schema: y }',
    'const config: { a: 1 }',
    'if (x): {',
    'if (a: b) {}',
    '{ "a": 1, "b": 2 }',
    'const a = b: 1',
    'return { a: 1, b }: x',
    'const q = cond ? (a) : c => d : e',
    'type of thing',
    'works as expected here',
    'Hello world!',
    'wow!',
    'return <div>hi</div>',
    'a < b > ',
    'const as = 1 as',
    'const a = 1 +',
    'def f():',
    'private stuff',
    'interface of things',
    'print "x"',
    'else { }',
  ])('is not named where it is not TypeScript: %s', code => {
    const [error] = errorsOf(checkBody(code))
    expect(error).toMatchObject({ rule: 'syntax' })
    expect(error?.message).not.toContain('TypeScript')
  })

  test.each([
    'const type = 1, as = 2, of = 3, namespace = 4, declare = 5, abstract = 6, readonly = 7\nlog(type, as, of, namespace, declare, abstract, readonly)',
    'const is = (a, b, c) => a < b > (c)\nlog(is)',
    'const f = (a, b) => (a ? (b) : c => c)\nlog(f)',
  ])('is not seen in JavaScript that resembles it: %s', code => {
    expect(checkBody(code)).toMatchObject({ ok: true })
  })
})

describe('syntax errors', () => {
  test.each([
    ['const a = [1, 2', '2:16', 'the script ends, but `[` of line 2 is not closed'],
    ['if (args) {\n  log(1)\n', '4:1', 'the script ends, but `{` of line 2 is not closed'],
    ['log(`a ${args`)', '2:16', ''],
    ['log(1}', '2:6', '`(` of line 2 must be closed first'],
    ['log(1))', '2:7', 'nothing is open that it could close'],
    ['const a = [1 2]', '2:14', '`,` or `]` is missing'],
    ['log(1 2)', '2:7', '`,` or `)` is missing'],
    ['const a = { b: 1 c: 2 }', '2:18', 'a `,`'],
    ['const x = { a: }', '2:16', 'a value is missing after `:`'],
    ["agent('x', label: 'y')", '2:17', 'arguments have no names'],
    ['args.map(x => { a: 1, b: x })', '2:24', 'to return an object from an arrow function'],
    ['function f() { await x }', '2:16', '`await` needs an async function'],
    ['args.map(x => await agent(x))', '2:15', '`await` needs an async function'],
    ['const a = 1\nlet a = 2', '3:5', "Identifier 'a' has already been declared"],
    ['const a = “x”', '2:11', 'typographic quote'],
    ["const a = 'x", '2:11', 'the string does not end on its line'],
    ['const a = `x', '2:12', 'the template literal is never closed'],
    ['/* x', '2:1', 'the comment is never closed'],
    ['const a = /x', '2:12', 'the regular expression is never closed'],
    ['const a = /(/', '2:12', 'Invalid regular expression'],
    ['@a class A {}', '2:1', 'decorators'],
    ['const a = 1 # 2', '2:14', 'unexpected character'],
    ['return <div className="a">hi</div>', '2:8', 'JSX'],
    ['return <>hi</>', '2:8', 'JSX'],
    ['const a', '2:8', 'the script ends in the middle of a statement'],
    ['const 1a = 2', '2:8', 'Identifier directly after number'],
  ])('say what is wrong and where: %s', (code, place, message) => {
    const [error] = errorsOf(checkBody(code))
    expect(error).toMatchObject({ rule: 'syntax' })
    if (message !== '') expect(`${error?.line}:${error?.column}`).toBe(place)
    expect(error?.message).toContain(message)
  })

  test('show no long tokens in full', () => {
    const [error] = errorsOf(checkBody(`log(1 '${'x'.repeat(1000)}')`))
    expect(error?.message.length).toBeLessThan(120)
  })
})

describe('a Markdown fence', () => {
  test.each(['```js', '```', '~~~javascript', '\n  ```js'])('around the script is named: %j', fence => {
    const [error] = errorsOf(checkScript(`${fence}\n${META}\nreturn 1\n\`\`\`\n`))
    expect(error?.message).toContain('wrapped in a Markdown code fence')
  })

  test('with prose before it is named too', () => {
    const [error] = errorsOf(checkScript(`Here is the script:\n\n\`\`\`js\n${META}\n\`\`\``))
    expect(error).toMatchObject({ line: 1, message: expect.stringContaining('code fence') as string })
  })

  test('left at the end, or not escaped within a template, is named', () => {
    expect(errorsOf(checkBody('return 1\n```'))[0]).toMatchObject({ line: 3, column: 1 })
    const [error] = errorsOf(checkBody('const p = `like this:\n```js\nx y\n```\n`'))
    expect(error).toMatchObject({ line: 3, column: 1 })
    expect(error?.message).toContain('write \\`\\`\\` if it is inside')
  })

  test('is fine where it is escaped or in a comment', () => {
    expect(checkBody('/*\n```\n*/\nreturn `\n\\`\\`\\`js\n`')).toMatchObject({ ok: true })
  })
})
