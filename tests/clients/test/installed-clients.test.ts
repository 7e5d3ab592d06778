import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const INSTALLED = fileURLToPath(new URL('../../../node_modules/.pnpm', import.meta.url))

it('no client of the Claude Agent SDK has brought its product along', () => {
  const names = readdirSync(INSTALLED)
  expect(names.filter(name => name.startsWith('@anthropic-ai+claude-agent-sdk@'))).toHaveLength(3)
  expect(names.filter(name => name.startsWith('@anthropic-ai+claude-agent-sdk-'))).toEqual([])
})
