import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunRecord } from '@tutti/protocol'
import { openStore, type FileStore, type StoreOptions } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endRecord } from '../../src/run/end-record.ts'
import { sampleCreation, sampleRecord, SAMPLE_TIME } from '../../src/conformance/samples.ts'
import { failingFileSystem } from '../support/failing-file-system.ts'
import { playRun, VALUE } from '../support/durable-run.ts'
import { allFiles, RUN, storeFixture, type StoreFixture } from '../support/store-fixture.ts'

// The disk and the sandbox, not the clock, decide how long these take.
vi.setConfig({ testTimeout: 60_000 })

const FIELDS = [
  'runId',
  'timestamp',
  'taskId',
  'workflowName',
  'summary',
  'script',
  'scriptPath',
  'status',
  'result',
  'logs',
  'phases',
  'defaultModel',
  'startTime',
  'durationMs',
  'agentCount',
  'totalTokens',
  'totalToolCalls',
  'workflowProgress',
]

let fixture: StoreFixture
const store = (options: Partial<StoreOptions> = {}): FileStore =>
  fixture.store({ layout: 'claude-code', ...options })

beforeEach(() => {
  fixture = storeFixture()
})

afterEach(() => fixture.remove())

describe('a run in the layout claude-code', () => {
  it('leaves the files that dashboards of Claude Code read, and the live ones beside its transcripts', async () => {
    const { runId = '' } = await playRun(store())
    const { journal } = await store().locate(runId)
    const session = dirname(dirname(dirname(dirname(journal))))
    const files = allFiles(session).filter(path => statSync(path).isFile())
    const folder = `subagents/workflows/${runId}`
    const names = files.map(path => path.slice(session.length + 1))
    expect(names.filter(name => !/agent-|results/.test(name)).sort()).toEqual([
      `${folder}/journal.jsonl`,
      `${folder}/output.json`,
      `${folder}/state.json`,
      `workflows/scripts/small-${runId}.js`,
      `workflows/${runId}.json`,
    ])
    const transcripts = new RegExp(`^${folder}/agent-a[0-9a-f]{16}\\.(jsonl|meta\\.json)$`)
    expect(names.filter(name => transcripts.test(name)).length).toBe(12)
    for (const path of [session, ...allFiles(session)]) {
      const stat = statSync(path)
      expect([path, (stat.mode & 0o777).toString(8)]).toEqual([path, stat.isDirectory() ? '700' : '600'])
    }
  })

  it('has a record with the fields of that product, whose sums and names agree', async () => {
    const { runId = '', end } = await playRun(store())
    const { script, transcripts } = await store().locate(runId)
    const record = readRecord(script, runId)
    expect(Object.keys(record)).toEqual(FIELDS)
    expect(record).toMatchObject({
      runId,
      taskId: end?.taskId,
      workflowName: 'small',
      summary: 'A small run',
      scriptPath: script,
      script: readFileSync(script, 'utf8'),
      status: 'completed',
      result: VALUE,
      phases: [{ title: 'Work' }, { title: 'Sum' }],
      agentCount: 5,
      startTime: end?.record.attemptStartedAt,
    })
    expect(Date.parse(record['timestamp'] as string)).toBe(end?.record.endedAt)
    const rows = record['workflowProgress'] as Record<string, unknown>[]
    expect(rows.map(row => row['type'])).toEqual([
      'workflow_phase',
      'workflow_phase',
      ...Array.from({ length: 5 }, () => 'workflow_agent'),
    ])
    const agents = rows.slice(2)
    expect(sum(agents, 'tokens')).toBe(record['totalTokens'])
    expect(sum(agents, 'toolCalls')).toBe(record['totalToolCalls'])
    for (const row of agents) {
      expect(existsSync(join(transcripts, `agent-${String(row['agentId'])}.jsonl`))).toBe(true)
    }
  })

  it('has no record before its attempt ends, and the old one until the next attempt ends', async () => {
    const seen: boolean[] = []
    const path = (runId: string): string => join(findFolder(fixture.root, 'workflows'), `${runId}.json`)
    const onStart = async (label: string): Promise<void> => {
      if (label === 'sum') seen.push(existsSync(path((await store().list())[0]!.record.runId)))
    }
    const { runId = '' } = await playRun(store(), undefined, { onStart })
    const first = JSON.parse(readFileSync(path(runId), 'utf8')) as Record<string, unknown>
    const again = await playRun(store(), runId)
    const second = JSON.parse(readFileSync(path(runId), 'utf8')) as Record<string, unknown>
    expect([seen, again.end?.value]).toEqual([[false], VALUE])
    expect([first['taskId'] === second['taskId'], second['taskId']]).toEqual([false, again.end?.taskId])
    const rows = second['workflowProgress'] as Record<string, unknown>[]
    expect(rows.filter(row => row['cached'] === true && row['state'] === 'done').length).toBe(4)
    expect(sum(rows, 'tokens')).toBe(second['totalTokens'])
  })

  it('is found, shown and resumed by a store of the other layout, also from folders below', async () => {
    const { runId = '' } = await playRun(store())
    const below = openStore({ root: fixture.root, cwd: join(fixture.folder, 'deep', 'er') })
    expect((await below.load(runId)).record.status).toBe('completed')
    const { end } = await playRun(below, runId)
    expect([end?.value, end?.dispatched]).toEqual([VALUE, 1])
    expect((await fixture.store().list()).map(({ record }) => record.attempt)).toEqual([2])
    const other = await playRun(fixture.store(), undefined, { seed: 9 })
    const listed = (await store().list()).map(({ record }) => record.runId)
    expect(new Set(listed)).toEqual(new Set([runId, other.runId]))
  })

  it('keeps its script copy under the name it was started with', async () => {
    const writer = await store().create(sampleCreation(RUN))
    await writer.writeRecord({ ...sampleRecord(RUN, writer.locations), workflowName: 'renamed' })
    await writer.close()
    const opened = await store().open(RUN)
    await opened.writer.writeScript('// new\n')
    await opened.writer.close()
    const run = await store().load(RUN)
    expect(run.script).toBe('// new\n')
    expect(run.locations.script).toMatch(/sample-wf_0a1b2c3d-4e5\.js$/)
    expect(readdirSync(dirname(run.locations.script)).length).toBe(1)
    expect((await store().list())[0]?.locations).toEqual(run.locations)
  })

  it('that was killed before it had a record of ours is not taken for one of another product', async () => {
    await mkdir(join(fixture.session, 'subagents', 'workflows', RUN), { recursive: true })
    await writeFile(join(fixture.session, 'subagents', 'workflows', RUN, 'run.lock'), '{}')
    await writeFile(join(fixture.session, 'subagents', 'workflows', RUN, 'journal.jsonl'), '')
    expect(await store().listForeign()).toEqual([])
    await expect(store().load(RUN)).rejects.toMatchObject({ message: expect.stringMatching(/its record/) })
  })

  it('leaves no folder behind when it cannot be made', async () => {
    const fileSystem = failingFileSystem()
    fileSystem.fault = step => (step.includes('state.json') ? { code: 'ENOSPC' } : undefined)
    await expect(store({ fileSystem }).create(sampleCreation(RUN))).rejects.toMatchObject({
      code: 'journal-write-failed',
    })
    expect(allFiles(fixture.root).filter(path => path.includes(RUN))).toEqual([])
  })
})

describe('the end record', () => {
  const base = sampleRecord(RUN, { record: '', output: '', journal: '', script: '/s.js', transcripts: '' })
  const ended = (changes: Partial<RunRecord>): ReturnType<typeof endRecord> =>
    endRecord({ ...base, endedAt: SAMPLE_TIME + 5, ...changes }, '// script', undefined)

  it('says killed for a run that was paused, and why', () => {
    expect(ended({ status: 'paused', pausedBy: 'quota' })).toMatchObject({
      status: 'killed',
      error: expect.stringContaining('quota'),
      durationMs: 5,
      result: null,
    })
    expect(ended({ status: 'killed' })).not.toHaveProperty('error')
  })

  it('has the error, the args and what a failed run had returned', () => {
    const record: RunRecord = {
      ...base,
      status: 'failed',
      args: { depth: 2 },
      error: { name: 'Error', message: 'It broke.' },
    }
    const output = JSON.stringify({ runId: RUN, status: 'failed', attempt: 1, partialResult: [1] })
    expect(endRecord(record, '', output)).toMatchObject({
      status: 'failed',
      error: 'It broke.',
      args: { depth: 2 },
      result: [1],
    })
  })

  it('has one phase row per phase, whatever the progress holds', () => {
    const { workflowProgress } = ended({
      status: 'completed',
      phases: [{ title: 'A', detail: 'first', model: 'm' }, { title: 'B' }],
      progress: [
        { type: 'workflow_phase', index: 1, title: 'A' },
        { type: 'workflow_log', index: 1, message: 'hello' },
      ],
    })
    expect(workflowProgress).toEqual([
      { type: 'workflow_phase', index: 1, title: 'A' },
      { type: 'workflow_phase', index: 2, title: 'B' },
    ])
  })
})

function readRecord(script: string, runId: string): Record<string, unknown> {
  const path = join(dirname(dirname(script)), `${runId}.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
}

function findFolder(root: string, name: string): string {
  const found = allFiles(root).find(path => path.endsWith(`/${name}`) && !path.includes('subagents'))
  return found ?? join(root, 'none')
}

function sum(rows: Record<string, unknown>[], field: string): number {
  return rows.reduce((total, row) => total + Number(row[field] ?? 0), 0)
}
