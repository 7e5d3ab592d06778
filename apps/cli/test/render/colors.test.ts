import { expect, test } from 'vitest'
import { wantsColor } from '../../src/render/colors.ts'

test.each([
  ['a terminal has colours', { isTty: true, env: {} }, true],
  ['a pipe has none', { isTty: false, env: {} }, false],
  ['a dumb terminal has none', { isTty: true, env: { TERM: 'dumb' } }, false],
  ['NO_COLOR switches them off', { isTty: true, env: { NO_COLOR: '1' } }, false],
  ['an empty NO_COLOR says nothing', { isTty: true, env: { NO_COLOR: '' } }, true],
  ['FORCE_COLOR switches them on', { isTty: false, env: { FORCE_COLOR: '1' } }, true],
  ['FORCE_COLOR=0 switches them off', { isTty: true, env: { FORCE_COLOR: '0' } }, false],
  ['NO_COLOR wins over FORCE_COLOR', { isTty: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
  ['--color wins over NO_COLOR', { isTty: false, env: { NO_COLOR: '1' }, flag: true }, true],
  ['--no-color wins over FORCE_COLOR', { isTty: true, env: { FORCE_COLOR: '1' }, flag: false }, false],
])('%s', (_name, choice, expected) => {
  expect(wantsColor(choice)).toBe(expected)
})
