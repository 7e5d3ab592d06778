import { readFileSync } from 'node:fs'
import { SettingsSchema } from '@tutti/protocol/schemas'
import { SETTING_VARIABLES } from '@tutti/storage'
import { expect, test } from 'vitest'
import { SETTINGS_WITHOUT_EFFECT, settingDefaults } from '../../src/setup/setting-defaults.ts'

const DOCS = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8')

/** Objects that are told as one. */
const WHOLE: readonly string[] = ['tutti.sandbox']

/** The keys of a schema; those of objects with keys of their own instead of the object. */
function keysOf(schema: unknown, path = ''): string[] {
  const shape = shapeOf(schema)
  if (shape === undefined || WHOLE.includes(path)) return [path]
  return Object.entries(shape).flatMap(([key, inner]) => keysOf(inner, path === '' ? key : `${path}.${key}`))
}

function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  const { shape, unwrap } = schema as { shape?: Record<string, unknown>; unwrap?: () => unknown }
  return shape ?? (unwrap === undefined ? undefined : shapeOf(unwrap.call(schema)))
}

const KEYS = keysOf(SettingsSchema)

/** First cells of the rows of a section's tables. */
function listed(title: string): string[] {
  const section = DOCS.split('\n## ').find(text => text.startsWith(title)) ?? ''
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell ?? '')
  return cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''))
}

test('every setting of the schema has a default, or is known to have no effect', () => {
  const known = [...settingDefaults({ env: {}, cpus: 4 }).map(({ key }) => key), ...SETTINGS_WITHOUT_EFFECT]
  expect(known.toSorted()).toEqual(KEYS.toSorted())
})

test('every setting has a row in the documentation, and no other has', () => {
  const own = listed('Keys of Tutti')
  const limits = KEYS.filter(key => key.startsWith('tutti.limits.')).map(key =>
    key.slice('tutti.limits.'.length),
  )
  const documented = new Set([
    ...listed('Shared keys'),
    ...own.filter(key => !limits.includes(key) || key === 'concurrency').map(key => `tutti.${key}`),
    ...own.filter(key => limits.includes(key)).map(key => `tutti.limits.${key}`),
  ])
  documented.delete('tutti.limits')
  expect([...documented].toSorted()).toEqual(KEYS.toSorted())
})

test('every variable that overrides a setting has a row in the documentation, and no other has', () => {
  const rows = DOCS.slice(DOCS.indexOf('These override'), DOCS.indexOf('These are read'))
  const names = [...rows.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => cell?.match(/[A-Z_]+/g) ?? [])
  expect(names.toSorted()).toEqual(SETTING_VARIABLES.toSorted())
})

test('the documented defaults are those of the code', () => {
  for (const { key, value } of settingDefaults({ env: {}, cpus: 4 })) {
    if (typeof value !== 'number' || key === 'tutti.concurrency') continue
    const name = key.replace(/^tutti\.(limits\.)?/, '')
    expect(DOCS).toMatch(new RegExp(`\\| \`${name}\` \\| \`${value}\``))
  }
})
