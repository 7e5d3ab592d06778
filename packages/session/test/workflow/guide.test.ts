import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBackends, createExecutor } from '@tutti/agents'
import { checkScript, createRuntime, formatFindings, type AgentExecutor, type RunEnd } from '@tutti/runtime'
import { createMemoryStore, createScriptedExecutor } from '@tutti/runtime/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WORKFLOW_GUIDE } from '../../src/workflow/guide/guide.ts'
import { workflowDescription } from '../../src/workflow/guide/tool-description.ts'
import { createDeskStage } from './support/desk-stage.ts'

const EXAMPLES = [workflowDescription(), WORKFLOW_GUIDE]
  .flatMap(text => [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, source = '']) => source))
  .map(source => ({ name: /name: '([^']+)'/.exec(source)?.[1] ?? '?', source }))

let folder: string

beforeAll(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-guide-')))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(source: string, executor: AgentExecutor): Promise<RunEnd> {
  const runtime = createRuntime({ executor, store: createMemoryStore(), cpus: 8 })
  return (await runtime.launch({ source })).result
}

function simulated(): AgentExecutor {
  const env = { TUTTI_SIMULATE_SPEED: 'instant' }
  return createExecutor({ backends: createBackends({ env, projectRoot: folder }), default: 'simulate' })
}

/** What an agent with an unknown option is told there is. */
async function knownOptions(): Promise<string[]> {
  const source = `export const meta = { name: 'x', description: 'x' }
    try { await agent('x', { nope: 1 }) } catch (error) { return error.message }`
  const { value } = await run(source, simulated())
  return (value as string).split('the options are ')[1]?.split(', ') ?? []
}

describe('the examples of description and guide', () => {
  it('are many, each under a name of its own', () => {
    expect(EXAMPLES.length).toBeGreaterThan(10)
    expect(new Set(EXAMPLES.map(({ name }) => name)).size).toBe(EXAMPLES.length)
  })

  it.each(EXAMPLES)('$name passes the check without a warning', ({ source }) => {
    const check = checkScript(source)
    expect(formatFindings(check.ok ? check.warnings : check.findings, 'example.js')).toBe('')
  })

  it.each(EXAMPLES)('$name runs to its end', async ({ source }) => {
    const end = await run(source, simulated())
    expect(end.error).toBeUndefined()
    expect(end).toMatchObject({ status: 'completed', degraded: false })
    expect(end.dispatched).toBeGreaterThan(0)
    expect(end.value).toBeDefined()
    expect(end.record.warnings).toEqual([])
  })

  it.each(EXAMPLES)('$name allows for agents that fail', async ({ source }) => {
    const end = await run(source, createScriptedExecutor({ '*': { die: 'refused' } }))
    expect(end.record.census.failed).toBeGreaterThan(0)
    expect(end.error?.message ?? '').not.toMatch(/TypeError|undefined|null|not a function|not iterable/)
  })
})

describe('the guide', () => {
  it('covers every option of an agent', async () => {
    const options = await knownOptions()
    expect(options).toContain('schema')
    for (const option of options) expect(WORKFLOW_GUIDE).toContain(`\`${option}\``)
  })

  it('covers every primitive and every error', () => {
    for (const word of [
      'agent(prompt, options?)',
      'agent.settled(',
      'parallel(',
      'pipeline(',
      'phase(',
      'log(',
      'workflow(',
      '`args`',
      '`budget`',
      '`run`',
      'StructuredOutputError',
      'WorkflowInputError',
      'AgentLimitError',
      'BudgetError',
      'RunStoppedError',
      'ChildWorkflowError',
    ]) {
      expect(WORKFLOW_GUIDE).toContain(word)
    }
  })

  it('is loaded on demand, by a tool that changes nothing', async () => {
    const stage = createDeskStage()
    const tool = stage.desk.tools.find(({ name }) => name === 'WorkflowGuide')
    expect(tool?.readOnly).toBe(true)
    expect((await stage.use('WorkflowGuide', {})).content).toBe(WORKFLOW_GUIDE)
    expect(tool?.description).not.toContain('```')
    await stage.remove()
  })

  it('and the description cost a bounded number of characters', () => {
    expect(workflowDescription().length).toBeLessThan(6000)
    expect(WORKFLOW_GUIDE.length).toBeLessThan(24_000)
  })
})
