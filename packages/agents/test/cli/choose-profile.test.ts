import { expect, test } from 'vitest'
import { chooseProfile } from '../../src/cli/choose-profile.ts'
import { ProfileSchema } from '../../src/cli/profile-schema.ts'
import { PLAIN, PROFILES } from '../../src/cli/index.ts'

test('the profile is that of the product the command is called like', () => {
  expect(chooseProfile('mine', { kind: 'cli', command: '/opt/bin/codex' })).toBe(PROFILES['codex'])
  expect(chooseProfile('claude', { kind: 'cli' })).toBe(PROFILES['claude'])
  expect(chooseProfile('mine', { kind: 'cli', command: 'my-agent' })).toBe(PLAIN)
  expect(chooseProfile('mine', { kind: 'cli', command: 'codex', profile: 'plain' })).toBe(PLAIN)
})

test('a profile of the settings may be like another', () => {
  const profile = chooseProfile('mine', {
    kind: 'cli',
    command: 'my-codex',
    profile: { like: 'codex', args: ['exec', '--json', '-'] },
  })
  expect(profile).toEqual({ ...PROFILES['codex'], args: ['exec', '--json', '-'] })
})

test.each([
  [{ profile: 'none-such' }, 'known: claude'],
  [{ profile: { output: 'xml' } }, 'output'],
  [{ profile: { evnts: [] } }, 'evnts'],
  [{ profile: { like: 'x' } }, 'known'],
])('%j is refused', (settings, reason) => {
  expect(() => chooseProfile('mine', { kind: 'cli', command: 'x', ...settings })).toThrow(reason)
})

test('a backend needs a command, or the name of a product', () => {
  expect(() => chooseProfile('mine', { kind: 'cli' })).toThrow(
    'tutti.backends.mine: kind "cli" needs a command',
  )
})

test.each(Object.entries(PROFILES))('the profile of %s is data', (_, profile) => {
  expect(ProfileSchema.parse(JSON.parse(JSON.stringify(profile)))).toEqual(profile)
})
