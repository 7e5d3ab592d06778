import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@tutti/runtime'
import { expect, test } from 'vitest'
import { createGovernor } from '../../src/governor/governor.ts'
import { modelBackend, SECRET } from '../model/backend-at.ts'
import { play } from '../stage/stage.ts'

interface Busy extends AsyncDisposable {
  url: string
  refusals: number
  most: number
}

/** Answers eight at a time, each in pieces and refuses the others. */
async function busyServer({
  answerMs = 20,
  retryAfter,
}: { answerMs?: number; retryAfter?: string } = {}): Promise<Busy> {
  let inFlight = 0
  const server = createServer((request, response) => {
    request.resume()
    if (inFlight >= 8) {
      busy.refusals++
      const body = JSON.stringify({ error: { type: 'rate_limit_error', message: 'Too many requests' } })
      response.writeHead(429, {
        'content-type': 'application/json',
        ...(retryAfter && { 'retry-after': retryAfter }),
      })
      response.end(body)
      return
    }
    inFlight++
    busy.most = Math.max(busy.most, inFlight)
    void (async () => {
      const chunk = (delta: object, finish: string | null): string =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'test-model', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk({ role: 'assistant', content: 'fine' }, null))
      await sleep(answerMs)
      inFlight--
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const busy: Busy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusals: 0,
    most: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return busy
}

test('of 200 calls at once to a server that answers eight at a time none fails, and at most 20 are refused', async () => {
  await using server = await busyServer()
  const backend = modelBackend('openai', server.url, { retriesInPlace: 5 })
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => play(backend)))
  expect(outcomes.filter(({ outcome }) => outcome.status === 'failed')).toEqual([])
  expect(server.refusals).toBeGreaterThan(0)
  expect(server.refusals).toBeLessThanOrEqual(20)
})

test('backends on one account share its limit', async () => {
  await using server = await busyServer()
  const governor = createGovernor(systemClock())
  const backends = [1, 2].map(() => modelBackend('openai', server.url, { governor, retriesInPlace: 5 }))
  const outcomes = await Promise.all(Array.from({ length: 60 }, (_, n) => play(backends[n % 2]!)))
  expect(outcomes.every(({ outcome }) => outcome.status === 'ok')).toBe(true)
  expect(server.refusals).toBeLessThanOrEqual(20)
  const endpoint = {
    wire: 'openai',
    baseUrl: `${server.url}/v1`,
    apiKey: SECRET,
    aliases: {},
    credentialName: '',
  } as const
  expect(governor.gateOf(endpoint).state).toMatchObject({ inFlight: 0, waiting: 0 })
  expect(governor.gateOf({ ...endpoint, apiKey: 'other' })).not.toBe(governor.gateOf(endpoint))
})

test('without a second chance a refusal is the outcome', async () => {
  await using server = await busyServer({ answerMs: 1000, retryAfter: '7' })
  const backend = modelBackend('openai', server.url)
  const played = await Promise.all(Array.from({ length: 16 }, () => play(backend)))
  const failed = played.map(({ outcome }) => outcome).filter(outcome => outcome.status === 'failed')
  expect(failed).not.toEqual([])
  for (const outcome of failed) expect(outcome).toMatchObject({ cause: 'rate_limited', retryAfterMs: 7000 })
})
