import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { trackGroups, type BackendSubject, type ConformanceCase } from '../../src/conformance/index.ts'
import { fakeAgent } from '../acp/fake-agent.ts'
import { fakeBackend } from '../cli/fake-backend.ts'

const WISHES: Record<ConformanceCase, string> = {
  ok: 'text',
  'schema ok': 'objects:[{"n":1}]',
  'schema wrong then right': 'objects:[{"n":"1"},{"n":1}]',
  'schema never right': `objects:${JSON.stringify(Array.from({ length: 9 }, () => ({ n: '1' })))}`,
  'schema never called': 'text',
  'tool error': 'failing-tool',
  'permission denied': 'write:forbidden',
  hang: 'hang',
  '429 storm': 'error:429 Too Many Requests',
  '529': 'error:Overloaded (529)',
  auth: 'error:Invalid API key',
  quota: 'error:You have hit your usage limit',
  crash: 'kill',
  garbage: 'garbage',
}

/** A stand-in for the command of a product. */
export function cliSubject(product: string): BackendSubject {
  return {
    cannot: {
      'permission denied':
        'the product decides by itself; that it is given the rules and a sandbox is tested beside its profile',
    },
    async set(wanted) {
      const groups = trackGroups()
      const fake = fakeBackend(product, WISHES[wanted], { groups })
      return {
        backend: fake.backend,
        prompt: 'Do it.',
        leftBehind: groups.leftBehind,
        [Symbol.asyncDispose]: async () => fake[Symbol.dispose](),
      }
    },
  }
}

/** A stand-in for an agent that speaks the Agent Client Protocol. */
export const acpSubject: BackendSubject = {
  async set(wanted) {
    const groups = trackGroups()
    const own: Partial<Record<ConformanceCase, string>> = { auth: 'auth', crash: 'die' }
    const fake = fakeAgent(own[wanted] ?? WISHES[wanted], { groups })
    return {
      backend: fake.backend,
      prompt: 'Do it.',
      wrote: () => existsSync(join(fake.root, 'forbidden')),
      leftBehind: groups.leftBehind,
      [Symbol.asyncDispose]: async () => fake[Symbol.dispose](),
    }
  },
}
