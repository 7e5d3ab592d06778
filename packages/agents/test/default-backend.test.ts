import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backendProblem, chooseDefaultBackend } from '../src/default-backend.ts'

test('a key makes it the model, and the reason names the variable', () => {
  expect(chooseDefaultBackend({ OPENAI_API_KEY: 'k' })).toEqual({
    name: 'model',
    reason: expect.stringContaining('OPENAI_API_KEY'),
  })
  expect(chooseDefaultBackend({ ANTHROPIC_AUTH_TOKEN: 'k' }).name).toBe('model')
})

test('without a key it is simulate, and the reason says that answers are made up', () => {
  const { name, reason } = chooseDefaultBackend({ ANTHROPIC_API_KEY: ' ', OPENAI_BASE_URL: 'http://x' })
  expect(name).toBe('simulate')
  expect(reason).toMatch(/made up/)
  expect(reason).not.toContain('\n')
})

test('the settings win', () => {
  expect(chooseDefaultBackend({ OPENAI_API_KEY: 'k' }, { tutti: { backend: 'codex' } }).name).toBe('codex')
})

test('a reason never shows the key', () => {
  expect(chooseDefaultBackend({ ANTHROPIC_API_KEY: 'sk-secret' }).reason).not.toContain('sk-secret')
})

test('a model backend without a key has a problem, one with a key in its own environment has none', () => {
  const local = { kind: 'model' as const, env: { OPENAI_API_KEY: 'k' } }
  const settings = { tutti: { backends: { local, bare: { kind: 'model' as const } } } }
  expect(backendProblem('model', {})).toContain('"model" needs a model key')
  expect(backendProblem('bare', {}, settings)).toContain('"bare"')
  expect(backendProblem('local', {}, settings)).toBeUndefined()
  expect(backendProblem('model', { ANTHROPIC_API_KEY: 'k' })).toBeUndefined()
  expect(backendProblem('simulate', {})).toBeUndefined()
  expect(backendProblem('toString', {})).toBeUndefined()
})

test('a product whose command is not there has a problem', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-path-'))
  writeFileSync(join(folder, 'codex'), '', { mode: 0o755 })
  const env = { PATH: folder }
  const mine = { kind: 'acp' as const, command: 'my-agent' }
  const settings = { tutti: { backends: { mine, byPath: { ...mine, command: './my-agent' } } } }
  expect(backendProblem('cli:codex', env)).toBeUndefined()
  expect(backendProblem('cli:gemini', env)).toContain('needs the command "gemini"')
  expect(backendProblem('acp:claude', env)).toContain('needs the command "claude-agent-acp"')
  expect(backendProblem('mine', env, settings)).toContain('needs the command "my-agent"')
  expect(backendProblem('byPath', env, settings)).toBeUndefined()
  expect(backendProblem('cli:toString', env)).toBeUndefined()
  rmSync(folder, { recursive: true })
})

test('an agent that is installed is offered, and only used when somebody says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-path-'))
  for (const name of ['gemini', 'codex']) writeFileSync(join(folder, name), '', { mode: 0o755 })
  const chosen = chooseDefaultBackend({ PATH: folder })
  expect(chosen).toMatchObject({ name: 'simulate', offer: 'cli:codex' })
  expect(chosen.reason).toContain('--backend cli:codex')
  expect(chooseDefaultBackend({ PATH: folder, OPENAI_API_KEY: 'x' })).toMatchObject({ name: 'model' })
  expect(chooseDefaultBackend({ PATH: '/nowhere' }).offer).toBeUndefined()
  rmSync(folder, { recursive: true })
})
