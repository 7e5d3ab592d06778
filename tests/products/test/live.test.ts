import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backendProblem, createBackends, createExecutor } from '@tutti/agents'
import { createRuntime, type RunEnd } from '@tutti/runtime'
import { createMemoryStore } from '@tutti/runtime/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// Against a real model: costs a few cents. LIVE=1 with a key of Anthropic, OpenAI or Google in the environment;
// LIVE_MODEL names another model than the default.

const problem = process.env['LIVE'] === '1' ? backendProblem('model', process.env) : 'LIVE=1 asks for it'
const TIMEOUT_MS = 180_000

describe.skipIf(problem !== undefined)(
  `a real model${problem === undefined ? '' : ` (not here: ${problem})`}`,
  () => {
    let project: string
    beforeEach(() => {
      project = mkdtempSync(join(tmpdir(), 'tutti-live-'))
      writeFileSync(join(project, 'fruits.txt'), 'apple\npear\nplum\nquince\n')
    })
    afterEach(() => rmSync(project, { recursive: true, force: true }))

    async function run(body: string): Promise<RunEnd> {
      const model = process.env['LIVE_MODEL']
      const settings = { permissions: { defaultMode: 'acceptEdits' } }
      const backends = createBackends({ env: process.env, projectRoot: project, settings })
      const executor = createExecutor({ backends, default: 'model' })
      const runtime = createRuntime({ executor, store: createMemoryStore() })
      const source = `export const meta = { name: 'live', description: 'A real model' }\n${body}`
      const { result } = await runtime.launch({ source }, { ...(model !== undefined && { model }) })
      const end = await result
      expect(end.record.failures).toEqual([])
      return end
    }

    test(
      'answers, and its tokens are counted',
      async () => {
        const end = await run(`return await agent('Answer with the one word "ready".')`)
        expect(end.value).toEqual(expect.stringMatching(/ready/i))
        expect(end.record.usage.input + end.record.usage.cacheRead).toBeGreaterThan(0)
        expect(end.record.usage.output).toBeGreaterThan(0)
      },
      TIMEOUT_MS,
    )

    test(
      'reads a file and hands an object over',
      async () => {
        const schema = `{ type: 'object', required: ['count', 'last'], properties: { count: { type: 'integer' }, last: { type: 'string' } } }`
        const end = await run(
          `return await agent('How many lines has fruits.txt, and what is the last?', { schema: ${schema} })`,
        )
        expect(end.value).toEqual({ count: 4, last: 'quince' })
        expect(end.record.usage.toolUses).toBeGreaterThan(1)
      },
      TIMEOUT_MS,
    )

    test(
      'changes a file',
      async () => {
        await run(`return await agent('Replace "plum" by "cherry" in fruits.txt. Change nothing else.')`)
        expect(readFileSync(join(project, 'fruits.txt'), 'utf8')).toBe('apple\npear\ncherry\nquince\n')
      },
      TIMEOUT_MS,
    )

    test(
      'four agents at once each get their own answer',
      async () => {
        const end = await run(
          `return await parallel([1, 2, 3, 4].map(n => () => agent('Which is line ' + n + ' of fruits.txt? Answer with that word alone.', { label: 'line-' + n })))`,
        )
        expect((end.value as string[]).map(word => word.trim().toLowerCase())).toEqual([
          'apple',
          'pear',
          'plum',
          'quince',
        ])
      },
      TIMEOUT_MS,
    )
  },
)
