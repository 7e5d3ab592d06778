import { test } from 'vitest'
import { writeSync } from 'node:fs'
import { checkScript } from '../src/check/check-script.ts'
import { compileSchema } from '../src/schema/compile-schema.ts'
const log = (...x) => writeSync(2, x.join(' ') + '\n')
test('perf', async () => {
  let a
  for (const evil of ['export const meta = {}\n' + '<a'.repeat(170_000), 'x<'.repeat(250_000), '('.repeat(200_000), '`${'.repeat(100_000), '\u202e'.repeat(500_000), 'a: b, '.repeat(80_000), 'var a,' .repeat(1)+ 'b,'.repeat(200_000)+'c: string', 'Date.now();'.repeat(40_000), '//'.padEnd(500_000, '```\n'), '\n'.repeat(500_000)+'(', 'async '.repeat(80_000), 'f(a<' .repeat(100_000), '<a '.repeat(100000)+'>', '"\u2028",'.repeat(100_000), 'export const meta = {}\nlog('+'"\u2028",'.repeat(50_000)+')', 'x as '.repeat(100_000), 'a.b'.repeat(3)+'[{('.repeat(100_000), '/* */'.repeat(100000)+'interface', '\u{E0041}'.repeat(200_000), '\u{1F3F4}'+'\u{E0041}'.repeat(200_000), 'export const meta = {}\n'+'let a;'.repeat(80_000),'export const meta = {}\n'+'{var a;'.repeat(1000)+'b'+'}'.repeat(1000), 'export const meta = {}\n'+'(()=>{'.repeat(1000)+'foo.bar(q1);q2'+'})'.repeat(1000), 'export const meta = {}\n'+ Array.from({length:40000},(_, i)=>'foo'+i).join(';')]) {
    log(JSON.stringify(evil.slice(0, 30)), evil.length)
    a = performance.now(); const r = checkScript(evil); log( (performance.now() - a).toFixed(0) + 'ms', r.ok || r.findings[0]!.message.slice(0, 60))
  }
  for (const [p, v] of [['^(a+)+$', 'a'.repeat(50_000) + '!'], ['(a|aa)+$', 'a'.repeat(50_000) + 'b'], ['(.*a){20}', 'a'.repeat(2000)], ['(x+x+)+y', 'x'.repeat(100_000)], ['((a{0,100}){0,10})', 'b'.repeat(100_000)]] as const) {
    log(p)
    const x = await compileSchema({ type: 'object', properties: { a: { pattern: p } } }); a = performance.now(); x.validate({ a: v }); log((performance.now() - a).toFixed(1))
  }
}, 120_000)
