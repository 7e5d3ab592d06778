import { rename, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readForeignRun } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resultEntry, sampleCreation, startedEntry } from '../../src/conformance/samples.ts'
import { playRun } from '../support/durable-run.ts'
import {
  assistant,
  END,
  foreignFiles,
  row,
  submit,
  text,
  user,
  verdict,
  type ForeignFiles,
} from '../support/foreign-run.ts'
import { RUN, storeFixture, type StoreFixture } from '../support/store-fixture.ts'

// The disk and the sandbox, not the clock, decide how long these take.
vi.setConfig({ testTimeout: 60_000 })

let fixture: StoreFixture
let files: ForeignFiles

beforeEach(() => {
  fixture = storeFixture()
  files = foreignFiles(fixture.session, RUN)
})

afterEach(() => fixture.remove())

/** What could not be reused, by what it is. */
async function problems(path = files.folder): Promise<Record<string, string>> {
  const run = await readForeignRun(path)
  return Object.fromEntries(run.problems.map(({ what, why }) => [what, why]))
}

describe('a run of Claude Code', () => {
  beforeEach(async () => {
    await files.record({
      runId: RUN,
      status: 'completed',
      workflowProgress: [
        { type: 'workflow_phase', index: 1, title: 'Review' },
        row('b2', 'done', { label: 'second', phaseTitle: 'Review', tokens: 70, model: 'model-2' }),
        row('a1', 'cached', { label: 'first' }),
      ],
    })
    await files.transcript('a1', [user('Find bugs.'), assistant('None.', END)], { agentType: 'reviewer' })
    await files.transcript('b2', [
      user([text('Verify.')]),
      assistant([submit('s', { ok: true })]),
      verdict('s'),
    ])
  })

  it('gives its finished agents, in the order of the record', async () => {
    expect(await readForeignRun(files.folder)).toEqual({
      source: files.folder,
      product: 'claude-code',
      problems: [],
      calls: [
        {
          transcriptId: 'b2',
          label: 'second',
          phase: 'Review',
          prompt: 'Verify.',
          model: 'model-2',
          result: { ok: true },
          hadSchema: true,
          tokens: 70,
          complete: true,
        },
        {
          transcriptId: 'a1',
          label: 'first',
          prompt: 'Find bugs.',
          agentType: 'reviewer',
          model: 'model-1',
          result: 'None.',
          hadSchema: false,
          tokens: 9,
          complete: true,
        },
      ],
    })
  })

  it.each([
    ['its record', () => files.recordPath],
    ['its folder', () => files.folder],
    ['a file in it', () => join(files.folder, 'agent-a1.jsonl')],
    ['its session and its id', () => join(files.session, RUN)],
    ['its session when it is the only run there', () => files.session],
  ])('is named by %s', async (_, path) => {
    expect((await readForeignRun(path())).calls.length).toBe(2)
  })

  it('is picked from several of a session by its id', async () => {
    await foreignFiles(files.session, 'wf_99999999-999').record({})
    await expect(readForeignRun(files.session)).rejects.toMatchObject({
      code: 'run-not-found',
      message: expect.stringContaining('wf_99999999-999'),
    })
    expect((await readForeignRun(files.session, { runId: RUN })).calls.length).toBe(2)
  })

  it('is read relative to a folder', async () => {
    const run = await readForeignRun(`workflows/${RUN}.json`, { cwd: files.session })
    expect(run.calls.length).toBe(2)
  })
})

describe('an agent', () => {
  it('is not reused when its row says that it ended badly, whatever its transcript shows', async () => {
    await files.record({
      workflowProgress: [
        row('a1', 'error', { label: 'one', error: 'schema_rejected' }),
        row('a2', 'error', { label: 'two', skipped: true }),
        row('agent-a3', 'done', { label: 'three' }),
        row('a4', 'start', { label: 'four' }),
        row('a5', 'queued', { label: 'five' }),
      ],
    })
    for (const id of ['a1', 'a2', 'a5']) await files.transcript(id, [user('p'), assistant('A', END)])
    expect(await problems()).toEqual({
      'one (a1)': 'it ended as error: schema_rejected',
      'two (a2)': 'it ended as error: skipped',
      'three (a3)': 'its transcript is missing',
      'four (a4)': 'it had not ended',
      'five (a5)': 'it ended as queued',
    })
    expect((await readForeignRun(files.folder)).calls).toEqual([])
  })

  it('of a killed run without a record is reused only if its transcript shows its end', async () => {
    await files.transcript('a1', [user('p1'), assistant('A', END)], { label: 'one', phase: 'P' })
    await files.transcript('a2', [user('p2'), assistant('B')])
    await files.transcript('a3', [user('p3'), assistant([submit('s', { n: 1 })]), verdict('s')])
    await files.transcript('a4', [user('p4'), assistant([submit('s', { n: 1 })])])
    const run = await readForeignRun(files.folder)
    expect(run.calls.map(({ transcriptId, label, result }) => [transcriptId, label, result])).toEqual([
      ['a1', 'one', 'A'],
      ['a3', undefined, { n: 1 }],
    ])
    expect(run.problems.map(({ what }) => what)).toEqual(['a2', 'a4'])
  })

  it('whose row says done needs no stop reason', async () => {
    await files.record({ workflowProgress: [row('a1', 'done'), row('a2', 'done')] })
    await files.transcript('a1', [user('p1'), assistant('A')])
    await files.transcript('a2', [user('p2'), assistant([submit('s', { n: 1 })])])
    expect((await readForeignRun(files.folder)).calls.map(({ result }) => result)).toEqual(['A', { n: 1 }])
  })

  it('is not read through a link, from a pipe-like name, or when it is too large', async () => {
    await files.transcript('a1', [user('p'), assistant('A', END)])
    await rename(join(files.folder, 'agent-a1.jsonl'), join(fixture.folder, 'elsewhere.jsonl'))
    await symlink(join(fixture.folder, 'elsewhere.jsonl'), join(files.folder, 'agent-a1.jsonl'))
    await files.file('agent-a2.jsonl', '')
    await truncate(join(files.folder, 'agent-a2.jsonl'), 65 * 1024 * 1024)
    const found = await problems()
    expect(found['a1']).toMatch(/ELOOP|symbolic/)
    expect(found['a2']).toMatch(/more than/)
  })

  it('whose answer was made up is not reused', async () => {
    await files.transcript('a1', [user('p'), assistant('A', { model: 'simulate', ...END })])
    expect(await problems()).toEqual({ a1: expect.stringContaining('simulate') })
  })

  it('with a damaged meta file is reused without it', async () => {
    await files.transcript('a1', [user('p'), assistant('A', END)])
    await files.file('agent-a1.meta.json', '[')
    expect((await readForeignRun(files.folder)).calls[0]).not.toHaveProperty('agentType')
  })
})

describe('a record', () => {
  it('of any shape is survived', async () => {
    await files.transcript('a1', [user('p'), assistant('A', END)])
    for (const shape of [
      '7',
      '{"workflowProgress":{}}',
      '{"workflowProgress":[null,1,{"type":"workflow_agent"}]}',
      '{',
    ]) {
      await files.record({})
      await writeFile(files.recordPath, shape)
      expect((await readForeignRun(files.folder)).calls.length).toBe(1)
    }
  })

  it('below a linked folder is not read', async () => {
    await files.record({})
    await rename(join(files.session, 'workflows'), join(fixture.folder, 'elsewhere'))
    await symlink(join(fixture.folder, 'elsewhere'), join(files.session, 'workflows'))
    await expect(readForeignRun(files.recordPath)).rejects.toMatchObject({ code: 'run-not-found' })
  })
})

it('names the product by the folder it is kept in', async () => {
  const there = foreignFiles(join(fixture.folder, '.codebuddy', 'projects', 'p', 'some-session'), RUN)
  await there.transcript('a1', [user('p'), assistant('A', END)])
  expect((await readForeignRun(there.folder)).product).toBe('codebuddy')
})

it.each(['/nowhere', '/nowhere/wf_0a1b2c3d-4e5', '/nowhere/workflows/wf_0a1b2c3d-4e5.json'])(
  'says what %s should be',
  async path => {
    await expect(readForeignRun(path)).rejects.toMatchObject({
      code: 'run-not-found',
      hint: expect.stringContaining('subagents/workflows'),
    })
  },
)

describe.each(['session', 'claude-code'] as const)('a run of ours, layout %s', layout => {
  it('gives its finished calls by its journal, large ones too', async () => {
    const store = fixture.store({ layout })
    const { runId = '' } = await playRun(store)
    const run = await readForeignRun((await store.locate(runId)).transcripts)
    expect(run.product).toBe('tutti')
    expect(
      run.calls.map(({ label, result, hadSchema }) => [label, (result as string).length, hadSchema]),
    ).toEqual([
      ['a', 1, false],
      ['b', 6, false],
      ['large', 300_000, false],
      ['sum', 1, false],
    ])
    expect(run.calls[0]).toMatchObject({ prompt: 'Do a', phase: 'Work', agentType: 'workflow-subagent' })
    expect(run.problems).toEqual([{ what: 'dead', why: expect.stringContaining('it failed (crashed)') }])
    const { record } = await store.locate(runId)
    expect((await readForeignRun(record)).calls).toEqual(run.calls)
  })

  it('does not give results that were made up, nor calls that are not recorded', async () => {
    const store = fixture.store({ layout })
    const writer = await store.create(sampleCreation(RUN))
    await writer.append(1, startedEntry(1))
    await writer.append(1, { ...resultEntry(1), simulated: true })
    await writer.append(1, resultEntry(2))
    await writer.append(1, startedEntry(3))
    await writer.append(1, { ...startedEntry(4), call: 'f'.repeat(64) })
    await writer.append(1, resultEntry(4))
    await writer.close()
    const { calls, problems: found } = await readForeignRun(writer.locations.transcripts)
    expect(calls).toEqual([])
    expect(found.map(({ why }) => why)).toEqual([
      expect.stringContaining('simulate'),
      expect.stringContaining('not recorded'),
      'it had not ended',
      expect.stringContaining('is missing'),
    ])
  })
})
