import { expect, test } from 'vitest'
import { checkScript } from '../../src/check/check-script.ts'
import { errorsOf, META } from './script.ts'

/** Texts of the greatest length that would cost far more than their length if a check were careless. */
test.each([
  ['bidirectional overrides', '\u202E'.repeat(500_000)],
  ['tag characters', `\u{1F3F4}${'\u{E0041}'.repeat(200_000)}`],
  ['findings', `${META}\n${'Date.now();'.repeat(40_000)}`],
  ['unknown names', `${META}\n${Array.from({ length: 40_000 }, (_, i) => `foo${i}`).join(';')};(`],
  ['redeclarations', `${META}\n${'let a;'.repeat(80_000)}`],
  ['nested type arguments', 'f(a<'.repeat(100_000)],
  ['open brackets', '[{('.repeat(150_000)],
  ['open templates', '`${'.repeat(150_000)],
  ['declarators', `var ${'b,'.repeat(200_000)}c: string`],
  ['casts', 'x as '.repeat(100_000)],
  ['line separators', `${META}\n${'"\u2028",'.repeat(50_000)}(`],
  ['lines', `${'\n'.repeat(500_000)}(`],
  ['fences', '//'.padEnd(500_000, '```\n')],
])(
  'many %s are answered soon',
  (_what, source) => {
    const started = performance.now()
    expect(errorsOf(checkScript(source)).length).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(5000)
  },
  20_000,
)
