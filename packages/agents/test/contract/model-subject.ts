import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import { trackGroups, type BackendSubject, type ConformanceCase } from '../../src/conformance/index.ts'
import type { Wire } from '../../src/model/endpoint.ts'
import { modelBackend } from '../model/backend-at.ts'

/** The built-in agent, over one wire, in a folder of its own. */
export function modelSubject(wire: Wire): BackendSubject {
  return {
    async set(wanted) {
      const root = mkdtempSync(join(tmpdir(), 'tutti-model-'))
      const server = await startMockModel({ replies: request => replyTo(wanted, request) })
      const groups = trackGroups()
      const workspace = { projectRoot: root, env: { PATH: process.env['PATH'] }, groups }
      return {
        backend: modelBackend(wire, server.url, { workspace, retriesInPlace: 1 }),
        prompt: 'Do it.',
        wrote: () => existsSync(join(root, 'forbidden')),
        leftBehind: groups.leftBehind,
        async [Symbol.asyncDispose]() {
          await server.close()
          rmSync(root, { recursive: true, force: true })
        },
      }
    },
  }
}

const submit = (n: unknown): MockReply => ({ toolCalls: [{ name: 'StructuredOutput', input: { n } }] })
const use = (name: string, input: object): MockReply => ({ toolCalls: [{ name, input }] })
const refusal = (status: number, message: string, type?: string): MockReply => ({
  error: { status, message, ...(type !== undefined && { type }) },
})

function replyTo(wanted: ConformanceCase, { n }: MockRequest): MockReply {
  const done: MockReply = { text: 'hello' }
  switch (wanted) {
    case 'ok':
    case 'schema never called':
      return done
    case 'schema ok':
      return submit(1)
    case 'schema wrong then right':
      return submit(n === 0 ? '1' : 1)
    case 'schema never right':
      return submit('1')
    case 'tool error':
      return n === 0 ? use('Read', { file_path: 'missing.txt' }) : done
    case 'permission denied':
      return n === 0 ? use('Bash', { command: 'touch forbidden' }) : done
    case 'hang':
      return { text: 'hello there, and much more than that', hangAfter: 3 }
    case '429 storm':
      return refusal(429, 'Too many requests', 'rate_limit_error')
    case '529':
      return refusal(529, 'Overloaded', 'overloaded_error')
    case 'auth':
      return refusal(401, 'invalid x-api-key', 'authentication_error')
    case 'quota':
      return refusal(429, 'You exceeded your current quota', 'insufficient_quota')
    case 'crash':
      return { text: 'hello there, and much more than that', disconnectAfter: 2 }
    case 'garbage':
      return { error: { status: 200, body: 'data: <html>{broken\n\n\u0000', headers: SSE } }
    default:
      return wanted satisfies never
  }
}

const SSE = { 'content-type': 'text/event-stream' }
