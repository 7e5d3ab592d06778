import { fc, test } from '@fast-check/vitest'
import { expect, it } from 'vitest'
import {
  blobPath,
  isRunId,
  projectDirectories,
  projectSlug,
  recordIndex,
  runPaths,
  runOfPath,
  sessionDirectory,
  transcriptIdOf,
} from '../src/layout.ts'
import { resolveRoot } from '../src/root.ts'

const RUN = 'wf_0a1b2c3d-4e5'

it('makes a slug of every character that is no letter or digit', () => {
  expect(projectSlug('/home/ann/my app_v1.2')).toBe('-home-ann-my-app-v1-2')
  expect(projectSlug('/home/ann/käse/')).toBe('-home-ann-k-se')
})

it('looks in the project of the working directory first, then in those of its parents', () => {
  expect(projectDirectories('/r', '/a/b')).toEqual(['/r/projects/-a-b', '/r/projects/-a', '/r/projects/-'])
})

it('puts the files of both layouts where their readers look', () => {
  const place = { sessionDirectory: '/s', runId: RUN }
  expect(runPaths({ ...place, layout: 'session' })).toMatchObject({
    record: `/s/${RUN}.json`,
    output: `/s/${RUN}.output.json`,
    journal: `/s/${RUN}.journal.jsonl`,
    lock: `/s/${RUN}.lock`,
    script: `/s/scripts/${RUN}.js`,
    transcripts: `/s/subagents/workflows/${RUN}`,
  })
  expect(runPaths({ ...place, layout: 'claude-code', scriptName: 'audit' })).toMatchObject({
    record: `/s/subagents/workflows/${RUN}/state.json`,
    output: `/s/subagents/workflows/${RUN}/output.json`,
    journal: `/s/subagents/workflows/${RUN}/journal.jsonl`,
    lock: `/s/subagents/workflows/${RUN}/run.lock`,
    endRecord: `/s/workflows/${RUN}.json`,
    script: `/s/workflows/scripts/audit-${RUN}.js`,
  })
})

it('tells records from the other files of a session', () => {
  const { runIdOf } = recordIndex('/s', 'session')
  expect(
    [`${RUN}.json`, `${RUN}.output.json`, `${RUN}.lock`, 'x.json', `.${RUN}.json.1.tmp`].map(runIdOf),
  ).toEqual([RUN, undefined, undefined, undefined, undefined])
})

test.prop([fc.string({ unit: 'binary' })])('never lets an id lead out of its folder', text => {
  for (const path of [
    () => runPaths({ sessionDirectory: '/s', runId: text, layout: 'session' }).record,
    () => runPaths({ sessionDirectory: '/s', runId: RUN, layout: 'claude-code', scriptName: text }).script,
    () => sessionDirectory('/s', text),
    () => blobPath(runPaths({ sessionDirectory: '/s', runId: RUN, layout: 'session' }), text),
  ]) {
    let made: string
    try {
      made = path()
    } catch (error) {
      expect(error).toMatchObject({ code: 'option-invalid' })
      continue
    }
    expect(made.startsWith('/s/')).toBe(true)
    expect(made).not.toMatch(/\.\.|\0/)
  }
})

it.each([
  `/s/workflows/${RUN}.json`,
  `/s/subagents/workflows/${RUN}`,
  `/s/subagents/workflows/${RUN}/`,
  `/s/subagents/workflows/${RUN}/state.json`,
  `/s/subagents/workflows/${RUN}/journal.jsonl`,
  `/s/${RUN}.json`,
  `/s/${RUN}`,
])('knows which run %s names', path => {
  expect(runOfPath(path)).toEqual({ sessionDirectory: '/s', runId: RUN })
})

it.each(['/s', '/s/x.json', '/', '/s/wf_.json'])('knows that %s names none', path => {
  expect(runOfPath(path)).toBeUndefined()
})

it('takes nothing but transcripts for transcripts', () => {
  const names = ['agent-a12.jsonl', 'agent-a12.meta.json', 'agent-.jsonl', 'agent-..jsonl', 'agent-a b.jsonl']
  expect(names.map(transcriptIdOf)).toEqual(['a12', undefined, undefined, undefined, undefined])
})

it('knows run ids of other products, of a sensible length', () => {
  expect(isRunId('wf_abcdef-123')).toBe(true)
  expect(isRunId(`wf_${'a'.repeat(200)}`)).toBe(false)
})

it('takes the root from CLAUDE_CONFIG_DIR, else from the home folder', () => {
  expect(resolveRoot({ CLAUDE_CONFIG_DIR: '/x/y', HOME: '/h' })).toBe('/x/y')
  expect(resolveRoot({ CLAUDE_CONFIG_DIR: '', HOME: '/h' })).toBe('/h/.claude')
})
