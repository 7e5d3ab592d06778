import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { modelBackend, SECRET } from '../model/backend-at.ts'
import { play } from '../stage/stage.ts'

interface Listening extends AsyncDisposable {
  url: string
}

async function listen(server: Server): Promise<Listening> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
}

test.each([301, 302, 303, 307, 308])(
  'an endpoint that answers %i gets no key sent to another address',
  async status => {
    const seen: string[] = []
    await using other = await listen(
      createServer((request, response) => {
        seen.push(JSON.stringify(request.headers))
        response.end()
      }),
    )
    await using endpoint = await listen(
      createServer((_, response) => void response.writeHead(status, { location: `${other.url}/v1` }).end()),
    )
    const { outcome } = await play(modelBackend('anthropic', endpoint.url))
    expect(outcome).toMatchObject({ status: 'failed', cause: 'invalid_request' })
    expect(outcome).toHaveProperty('message', expect.stringContaining(`redirects to ${other.url}/v1`))
    expect(seen.join()).not.toContain(SECRET)
    expect(seen).toEqual([])
  },
)

test('of an error that does not end only the beginning is read', async () => {
  let gone = false
  await using endpoint = await listen(
    createServer((_, response) => {
      response.writeHead(400)
      const pour = (): void => {
        if (!response.destroyed && response.write('no '.repeat(10_000))) setImmediate(pour)
      }
      response.on('drain', pour).on('close', () => (gone = true))
      pour()
    }),
  )
  const { outcome } = await play(modelBackend('anthropic', endpoint.url))
  expect(outcome).toMatchObject({ status: 'failed', cause: 'invalid_request' })
  await expect.poll(() => gone).toBe(true)
})
