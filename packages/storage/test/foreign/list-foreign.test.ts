import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openStore, type FileStore, type StoreOptions } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleCreation } from '../../src/conformance/samples.ts'
import { assistant, END, foreignFiles, row, user, type ForeignFiles } from '../support/foreign-run.ts'
import { allFiles, RUN, storeFixture, type StoreFixture } from '../support/store-fixture.ts'

const OTHER = 'wf_abc123'

let fixture: StoreFixture
let claude: ForeignFiles
let codebuddy: ForeignFiles
const store = (options: Partial<StoreOptions> = {}): FileStore =>
  fixture.store({ codebuddyRoot: join(fixture.folder, '.codebuddy'), ...options })

beforeEach(async () => {
  fixture = storeFixture()
  claude = foreignFiles(fixture.session, RUN)
  const project = dirname(fixture.session).slice(fixture.root.length)
  codebuddy = foreignFiles(join(fixture.folder, '.codebuddy', project, 'session-7'), OTHER)
  await claude.record({
    runId: RUN,
    workflowName: 'audit',
    summary: 'Looks for bugs',
    status: 'completed',
    startTime: 1_000,
    durationMs: 50,
    agentCount: 2,
    totalTokens: 300,
    totalToolCalls: 4,
    defaultModel: 'model-1',
    args: { depth: 1 },
    result: { confirmed: [] },
    logs: ['one', 7],
    phases: [{ title: 'Review', detail: 'all' }, 'Verify', 3],
    script: 'return 1',
    workflowProgress: [row('a1', 'done', { phaseTitle: 'Review', tokens: 300 }), { type: 'workflow_phase' }],
  })
  await claude.script('audit', 'return 1')
  await codebuddy.transcript('a1', [user('p'), assistant('A', END)])
})

afterEach(() => fixture.remove())

describe('runs of other products', () => {
  it('are listed apart from ours, the newest first', async () => {
    const writer = await store().create(sampleCreation('wf_11111111-111'))
    await writer.close()
    const foreign = await store().listForeign()
    expect(foreign).toEqual([
      {
        product: 'claude-code',
        runId: RUN,
        sessionId: expect.any(String),
        workflowName: 'audit',
        description: 'Looks for bugs',
        status: 'completed',
        startedAt: 1_000,
        durationMs: 50,
        model: 'model-1',
        agents: 2,
        tokens: 300,
        toolCalls: 4,
        locations: {
          folder: claude.folder,
          record: claude.recordPath,
          script: join(claude.session, 'workflows', 'scripts', `audit-${RUN}.js`),
        },
      },
      {
        product: 'codebuddy',
        runId: OTHER,
        sessionId: 'session-7',
        workflowName: OTHER,
        status: 'unknown',
        agents: 1,
        locations: { folder: codebuddy.folder },
      },
    ])
    expect((await store().list()).map(({ record }) => record.runId)).toEqual(['wf_11111111-111'])
  })

  it('are shown with all that their record says, also from folders below', async () => {
    const below = store({ cwd: join(fixture.folder, 'a', 'b') })
    expect(await below.loadForeign(RUN)).toMatchObject({
      args: { depth: 1 },
      result: { confirmed: [] },
      script: 'return 1',
      phases: [{ title: 'Review', detail: 'all' }, { title: 'Verify' }],
      logs: ['one'],
      rows: [{ transcriptId: 'a1', label: 'label a1', state: 'done', phase: 'Review', tokens: 300 }],
    })
    expect(await below.loadForeign('wf_99999999-999')).toBeUndefined()
    expect(await below.loadForeign('../x')).toBeUndefined()
  })

  it('cannot be gone on with in place: the advice is to reuse them', async () => {
    for (const way of ['open', 'load', 'locate'] as const) {
      await expect(store()[way](RUN)).rejects.toMatchObject({
        code: 'run-not-found',
        message: expect.stringContaining('belongs to Claude Code'),
        hint: expect.stringMatching(/^tutti run \S+audit-wf_0a1b2c3d-4e5\.js --reuse \S+$/),
      })
    }
    await expect(store().open(OTHER)).rejects.toMatchObject({
      message: expect.stringContaining('belongs to CodeBuddy'),
      hint: `tutti run <script.js> --reuse ${codebuddy.folder}`,
    })
  })

  it('whose path has a space are named so that a shell takes it for one word', async () => {
    const project = dirname(fixture.session).slice(fixture.root.length)
    const buddies = join(fixture.folder, 'my buddy')
    const there = foreignFiles(join(buddies, project, 's'), 'wf_55555555-555')
    await there.transcript('a1', [user('p')])
    await expect(store({ codebuddyRoot: buddies }).open('wf_55555555-555')).rejects.toMatchObject({
      hint: `tutti run <script.js> --reuse '${there.folder}'`,
    })
  })

  it('are not written, pruned or locked', async () => {
    const before = allFiles(fixture.folder).sort()
    await store().listForeign()
    await store().loadForeign(RUN)
    await expect(store().open(RUN)).rejects.toThrow()
    expect((await store().prune({ olderThanMs: 0 })).runs).toEqual([])
    expect(allFiles(fixture.folder).sort()).toEqual(before)
  })

  it('whose record is damaged are listed by what else is there', async () => {
    await writeFile(claude.recordPath, '{"status":')
    await claude.file('journal.jsonl', 'not ours\n')
    const [found] = (await store().listForeign()).filter(({ runId }) => runId === RUN)
    expect(found).toMatchObject({ status: 'unknown', workflowName: RUN, agents: 0 })
  })

  it('are told from runs of ours in the same layout by their journal', async () => {
    const writer = await openStore({
      root: fixture.root,
      cwd: fixture.folder,
      layout: 'claude-code',
    }).create(sampleCreation('wf_22222222-222'))
    await writer.close()
    expect((await store().listForeign()).map(({ runId }) => runId)).toEqual([RUN, OTHER])
    await mkdir(join(claude.session, 'subagents', 'workflows', 'wf_33333333-333'), { recursive: true })
    expect((await store().listForeign()).length).toBe(2)
  })
})
