import { expect, test } from 'vitest'
import { hiddenIn } from '../../src/hidden-in.ts'
import { credentialHider, redactor } from '../../src/model/secrets.ts'

test('keys, tokens, passwords in the address and what looks like a key are taken out', () => {
  const redact = redactor({
    wire: 'openai',
    baseUrl: 'https://me:pa%20ss@gate.example/v1',
    apiKey: 'plain-looking-1',
    authToken: 'another one 2',
    aliases: {},
    credentialName: 'X',
  })
  const text = redact(
    'a plain-looking-1 b another one 2 c pa%20ss d pa ss e sk-abcdefgh123 f sk-***********xyz',
  )
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
    apiKey: 'the-key-1',
    aliases: {},
    credentialName: 'X',
  })
  expect(hide('the-key-1 and api_endpoint_name')).toBe('[redacted] and api_endpoint_name')
})

test.each(['none', 'null', 'ollama', 'not-needed', 'lm-studio', '1234', 'content'])(
  'what stands in the place of a key is a word like others: %s',
  apiKey => {
    const hide = credentialHider({
      wire: 'openai',
      baseUrl: 'https://x',
      apiKey,
      aliases: {},
      credentialName: 'X',
    })
    const line = { type: 'content', stop: null, tokens: 1234, text: `Effects: none; ${apiKey}` }
    expect(hiddenIn(line, hide)).toBe(line)
  },
)

test('within a value every text is looked at, and what it is made of stays', () => {
  const hide = (text: string): string => text.replaceAll('a"b\\', '[redacted]')
  const value = { list: ['a"b\\', 1, null, { 'a"b\\': true }], rest: 'x' }
  expect(hiddenIn(value, hide)).toEqual({ list: ['[redacted]', 1, null, { '[redacted]': true }], rest: 'x' })
  const own = JSON.parse('{"__proto__":{"k":"a\\"b\\\\"}}') as object
  expect(JSON.stringify(hiddenIn(own, hide))).toBe('{"__proto__":{"k":"[redacted]"}}')
})
