import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { pageText } from '../../src/tools/page-text.ts'
import { webFetchTool } from '../../src/tools/web-fetch.ts'
import { projectWith } from './project.ts'

async function serve(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('WebFetch', () => {
  test('returns the text of a page', async () => {
    await using site = await serve((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end('<h1>Title</h1><script>no()</script><p>a &amp; b</p>'),
    )
    await using project = await projectWith()
    const { text } = await project.use(webFetchTool, { url: site.url, prompt: 'What?' })
    expect(text).toContain('# Title\na & b')
    expect(text).not.toContain('no()')
    expect(await project.wish(webFetchTool, { url: site.url })).toEqual({ kind: 'fetch', host: '127.0.0.1' })
  })

  test('follows within the host only', async () => {
    await using site = await serve((request, response) => {
      const to = { '/a': '/b', '/away': 'http://example.invalid/x', '/loop': '/loop' }[request.url ?? '']
      if (to) response.writeHead(302, { location: to }).end()
      else response.setHeader('content-type', 'application/json').end('{"ok":1}')
    })
    await using project = await projectWith()
    expect((await project.use(webFetchTool, { url: `${site.url}/a` })).text).toContain('{"ok":1}')
    expect((await project.use(webFetchTool, { url: `${site.url}/away` })).text).toContain(
      'redirects to http://example.invalid/x',
    )
    expect((await project.use(webFetchTool, { url: `${site.url}/loop` })).text).toContain('more than 5 times')
  })

  test('a host with a dot at its end is the host that rules name', async () => {
    await using project = await projectWith()
    expect(await project.wish(webFetchTool, { url: 'http://evil.test./x' })).toMatchObject({
      host: 'evil.test',
    })
    const { text } = await project.use(webFetchTool, { url: 'http://metadata.google.internal./x' })
    expect(text).toContain('is not fetched')
  })

  test('text is decoded as its type says', async () => {
    await using site = await serve((request, response) =>
      response
        .setHeader('content-type', `text/plain; charset=${request.url === '/' ? '"ISO-8859-1"' : 'odd'}`)
        .end(request.url === '/' ? Buffer.from('caf\xe9', 'latin1') : 'caf\u00e9'),
    )
    await using project = await projectWith()
    expect((await project.use(webFetchTool, { url: site.url })).text).toContain('caf\u00e9')
    expect((await project.use(webFetchTool, { url: `${site.url}/odd` })).text).toContain('caf\u00e9')
  })

  test('failures and what is no text are told', async () => {
    await using site = await serve((request, response) => {
      if (request.url === '/gone') response.writeHead(404).end()
      else response.setHeader('content-type', 'image/png').end('x')
    })
    await using project = await projectWith()
    expect((await project.use(webFetchTool, { url: `${site.url}/gone` })).text).toContain('answered 404')
    expect((await project.use(webFetchTool, { url: site.url })).text).toContain('not text but image/png')
    expect((await project.use(webFetchTool, { url: 'http://127.0.0.1:1' })).text).toMatch(
      /ECONNREFUSED|bad port/,
    )
  })

  test.each([
    'nothing',
    'file:///etc/passwd',
    'http://user:secret@example.com/',
    'http://169.254.169.254/latest',
    'http://metadata.google.internal/',
    'http://0xa9fea9fe/',
  ])('refuses %s', async url => {
    await using project = await projectWith()
    expect((await project.use(webFetchTool, { url })).failed).toBe(true)
  })

  test('a page of nothing but brackets takes no time', () => {
    const started = process.cpuUsage().user
    pageText('<'.repeat(1_000_000))
    pageText('<p '.repeat(300_000))
    pageText('<script'.repeat(100_000))
    pageText('<!--'.repeat(200_000))
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000)
  })
})
