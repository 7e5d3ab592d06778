import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkScript } from '../../src/check/check-script.ts'
import { KNOWN_GLOBALS } from '../../src/check/lint/global-names.ts'

const guide = readFileSync(new URL('../../../../docs/script.md', import.meta.url), 'utf8')
const examples = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(match => match[1] ?? '')

describe('docs/script.md', () => {
  test('has examples', () => {
    expect(examples.length).toBeGreaterThan(5)
  })

  test.each(examples.map(source => [/name: '(.*?)'/.exec(source)?.[1], source]))(
    'shows a script that passes every check: %s',
    (_name, source) => {
      expect(checkScript(source ?? '')).toMatchObject({ ok: true, warnings: [] })
    },
  )

  test('names every primitive that a script can use', () => {
    for (const name of [
      'agent',
      'parallel',
      'pipeline',
      'phase',
      'log',
      'workflow',
      'args',
      'budget',
      'run',
    ]) {
      expect(KNOWN_GLOBALS).toContain(name)
      expect(guide).toContain(`\`${name}`)
    }
  })
})
