import { expect, test } from 'vitest'
import { credentialHider, redactor } from '../../src/model/secrets.ts'

test('keys, tokens, passwords in the address and what looks like a key are taken out', () => {
  const redact = redactor({
    wire: 'openai',
    baseUrl: 'https://me:pa%20ss@gate.example/v1',
    apiKey: 'plain-looking',
    authToken: 'another one',
    aliases: {},
    credentialName: 'X',
  })
  const text = redact('a plain-looking b another one c pa%20ss d pa ss e sk-abcdefgh123 f sk-***********xyz')
  expect(text).toBe('a [redacted] b [redacted] c [redacted] d [redacted] e [redacted] f [redacted]')
})

test('text without a secret stays as it is', () => {
  const redact = redactor({ wire: 'openai', baseUrl: 'not a url', aliases: {}, credentialName: 'X' })
  expect(redact('task-list and key-value stay')).toBe('task-list and key-value stay')
})

test('only credentials are taken out of what is kept as it was', () => {
  const hide = credentialHider({
    wire: 'openai',
    baseUrl: 'https://x',
    apiKey: 'the-key',
    aliases: {},
    credentialName: 'X',
  })
  expect(hide('the-key and api_endpoint_name')).toBe('[redacted] and api_endpoint_name')
})
