import type { Dialect, OutFrame } from '@tutti/protocol'
import { describe, expect, it } from 'vitest'
import { checkFrames, type CheckOptions } from '../src/check-frames.ts'
import type { RecordedLine } from '../src/recording.ts'
import { FrameMaker, type TaskPlan } from './support/frame-maker.ts'

type Loose = Record<string, unknown>
type Change = (frames: Loose[]) => unknown

const plan: TaskPlan = { id: 'w0', end: 'completed', agents: ['done', 'error'] }
const stopped: TaskPlan = { id: 'w0', end: 'killed', agents: ['done'] }

/** Positions in `session`. */
const AT = {
  use: 1,
  started: 2,
  background: 3,
  launched: 4,
  result: 6,
  first: 7,
  last: 10,
  updated: 11,
  notified: 12,
}

describe.each<[rule: string, what: string, change: Change]>([
  ['unknown-type', 'a type of no frame', f => (f[1]!['type'] = 'workflow')],
  ['empty-snapshot', 'a snapshot without rows', f => (f[AT.first]!['workflow_progress'] = [])],
  ['schema', 'a field of another type', f => (f[AT.first]!['description'] = 5)],
  ['stamp', 'a frame without uuid', f => delete f[1]!['uuid']],
  ['uuid-twice', 'a uuid used twice', f => (f[2]!['uuid'] = f[1]!['uuid'])],
  ['session-changed', 'another session_id', f => (f[5]!['session_id'] = 'other')],
  ['no-result', 'a turn without result', f => f.splice(AT.result, 1)],
  ['outside-turn', 'an answer before init', f => f.splice(0, 1)],
  ['result', 'a result of unknown subtype', f => (f[AT.result]!['subtype'] = 'fine')],
  ['result', 'an error that is none', f => (f[AT.result]!['subtype'] = 'error_max_turns')],
  ['result', 'a success without text', f => delete f[AT.result]!['result']],
  ['result', 'a usage without numbers', f => (f[AT.result]!['usage'] = {})],
  ['not-started', 'progress before task_started', f => swap(f, AT.started, AT.first)],
  ['started-twice', 'task_started twice', f => f.splice(3, 0, { ...f[AT.started], uuid: 'new' })],
  ['launched-before-started', 'a launch told before its start', f => swap(f, AT.started, AT.launched)],
  ['started-after-result', 'a start after its tool result', f => swap(f, AT.started, AT.launched)],
  ['tool-use-differs', 'a start for another tool use', f => (f[AT.started]!['tool_use_id'] = 'toolu_x')],
  ['result-without-use', 'a tool result without its use', f => f.splice(AT.use, 1)],
  ['tool-result-twice', 'a tool result twice', f => f.splice(5, 0, { ...f[AT.launched], uuid: 'new' })],
  ['progress-in-pair', 'progress within the terminal pair', f => swap(f, AT.last, AT.updated)],
  ['progress-after-end', 'progress after the end', f => f.push({ ...f[AT.last], uuid: 'new' })],
  ['updated-after-end', 'a status after the end', f => f.push({ ...f[AT.updated], uuid: 'new' })],
  ['no-end-time', 'an end at no time', f => (f[AT.updated]!['patch'] = { status: 'completed' })],
  ['notified-twice', 'a second notification', f => f.push({ ...f[AT.notified], uuid: 'new' })],
  ['notified-without-update', 'a notification without update', f => f.splice(AT.updated, 1)],
  ['notified-as', 'a notification in another word', f => (f[AT.notified]!['status'] = 'failed')],
  ['not-notified', 'no notification', f => f.splice(AT.notified, 1)],
  ['snapshot-unchanged', 'rows as they were', f => f.splice(8, 0, { ...f[AT.first], uuid: 'new' })],
  ['row-order', 'rows out of order', f => rowsOf(f[AT.last]!).reverse()],
  ['row-identity', 'a row with another label', f => (rowsOf(f[AT.last]!)[1]!['label'] = 'other')],
  ['row-revived', 'a row that starts again', f => swap(f, AT.first, AT.first + 1)],
  ['row-lost', 'a row that is gone', f => rowsOf(f[AT.last]!).pop()],
  ['row-open', 'a row without end', f => f.splice(AT.last, 1)],
  ['token-sum', 'a sum that is none', f => (rowsOf(f[AT.last]!)[1]!['tokens'] = 50)],
  ['text-bounds', 'a long label', f => (rowsOf(f[AT.last]!)[1]!['label'] = 'x'.repeat(121))],
  ['text-bounds', 'a terminal sequence', f => (rowsOf(f[AT.last]!)[2]!['error'] = '\u001b[31mred')],
  ['row-times', 'a row before its start', f => delete rowsOf(f[AT.last]!)[1]!['startedAt']],
  ['row-times', 'an end before the start', f => (rowsOf(f[AT.last]!)[2]!['endedAt'] = 0)],
  ['row-times', 'an end at no time', f => delete rowsOf(f[AT.last]!)[1]!['endedAt']],
  ['row-state', 'an error of a row that is done', f => (rowsOf(f[AT.last]!)[1]!['error'] = 'no')],
  ['row-state', 'a failure without a reason', f => delete rowsOf(f[AT.last]!)[2]!['error']],
  ['background-not-running', 'an unknown task', f => (f[AT.background]!['tasks'] = [task('w0'), task('w1')])],
  ['background-missing', 'a task that is not listed', f => (f[AT.background]!['tasks'] = [])],
  ['background-twice', 'a task listed twice', f => (f[AT.background]!['tasks'] = [task('w0'), task('w0')])],
  ['background-untold', 'a turn that leaves something untold', f => f.splice(AT.background, 1)],
  ['background-stale', 'an end that is not told', f => f.pop()],
  ['updated-unchanged', 'a status told twice', f => f.splice(8, 0, paused('p1'), paused('p2'))],
  ['dialect', 'a script in the wrong dialect', f => (f[AT.started]!['prompt'] = 'return 1')],
])('%s', (rule, what, change) => {
  it(`finds ${what}`, () => {
    const frames = session(plan)
    expect(rulesOf(frames)).toEqual([])
    change(frames)
    expect(rulesOf(frames)).toContain(rule)
  })
})

describe('late rows', () => {
  const frames = (): Loose[] => {
    const maker = new FrameMaker('codebuddy')
    return loose([
      maker.init(),
      maker.toolUse('w0'),
      maker.started(stopped),
      maker.background([stopped]),
      maker.launched(stopped),
      maker.result(),
      maker.progress(stopped, 1),
      maker.updated(stopped),
      maker.notified(stopped),
      maker.background([]),
      maker.aborted(stopped, 1),
    ])
  }

  it('may follow the notification of a stop', () => {
    expect(rulesOf(frames())).toEqual([])
  })

  it('say that they were aborted', () => {
    const late = frames()
    rowsOf(late.at(-1)!)[1]!['error'] = 'broke'
    expect(rulesOf(late)).toEqual(['late-row'])
  })

  it('are owed', () => {
    expect(rulesOf(frames().slice(0, -1))).toEqual(['row-open'])
  })

  it('do not exist in the other dialect', () => {
    expect(rulesOf(frames(), { dialect: 'claude-code' })).toEqual(
      expect.arrayContaining(['progress-after-end', 'row-open']),
    )
  })
})

describe('control', () => {
  const ask = (id: string, subtype: string): string =>
    JSON.stringify({ type: 'control_request', request_id: id, request: { subtype, task_id: 'w0' } })
  const answer = (id: string): string =>
    JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: id } })
  const host = (line: string): RecordedLine => ({ from: 'host', line })
  const rules = (...lines: (string | RecordedLine)[]): string[] => checkFrames(lines).map(({ rule }) => rule)

  it('is one answer to each request of the host', () => {
    expect(rules(host(ask('1', 'initialize')), answer('1'))).toEqual([])
    expect(rules(host(ask('1', 'initialize')))).toEqual(['unanswered'])
    expect(rules(host(ask('1', 'initialize')), answer('1'), answer('1'))).toEqual(['answered-twice'])
    expect(rules(host(ask('1', 'initialize')), answer('1'), answer('2'))).toEqual(['answer-without-request'])
  })

  it('is as many answers as an id was used for, and one for a line of unknown type', () => {
    const again = host(ask('1', 'initialize'))
    expect(rules(again, again, answer('1'), answer('1'))).toEqual([])
    expect(rules(again, again, answer('1'))).toEqual(['unanswered'])
    const odd = host(JSON.stringify({ type: 'odd', request_id: '1' }))
    expect(rules(odd, answer('1'))).toEqual([])
  })

  it('has request ids that are used once, and withdraws what was asked', () => {
    const question = ask('s1', 'mcp_message').replace('"task_id":"w0"', '"server_name":"a","message":{}')
    const cancel = JSON.stringify({ type: 'control_cancel_request', request_id: 's1' })
    expect(rules(question, cancel)).toEqual([])
    expect(rules(question, question)).toEqual(['request-twice'])
    expect(rules(cancel)).toEqual(['withdrawn-unasked'])
  })

  it('acknowledges an interrupt before what it stops', () => {
    const maker = new FrameMaker('codebuddy')
    const before = [maker.started(stopped), maker.background([stopped])].map(frame => JSON.stringify(frame))
    const end = [maker.updated(stopped), maker.notified(stopped), maker.background([])].map(frame =>
      JSON.stringify(frame),
    )
    const interrupt = host(ask('1', 'interrupt'))
    expect(rules(...before, interrupt, answer('1'), ...end)).toEqual([])
    expect(rules(...before, interrupt, ...end, answer('1'))).toEqual(['killed-before-receipt'])
    const stop = host(ask('2', 'stop_task'))
    expect(rules(...before, stop, interrupt, ...end, answer('1'), answer('2'))).toEqual([])
  })
})

it('finds a line that is no frame, and leaves the lines of the host to themselves', () => {
  expect(checkFrames(['hello', { from: 'host', line: 'hello' }])).toEqual([
    { line: 1, rule: 'not-a-frame', message: 'the line is not a JSON object' },
  ])
})

describe('results', () => {
  const maker = new FrameMaker('codebuddy')
  const held = loose([
    maker.init(),
    maker.toolUse('w0'),
    maker.started(plan),
    maker.background([plan]),
    maker.launched(plan),
    maker.progress(plan, 4),
    maker.updated(plan),
    maker.notified(plan),
    maker.background([]),
    maker.init(),
    maker.says('It has ended'),
    maker.result(),
  ])

  it('are held for workflows only where that was announced', () => {
    expect(rulesOf(held, { heldResults: true })).toEqual([])
    expect(rulesOf(held)).toEqual(['no-result'])
    expect(rulesOf(loose([maker.init(), maker.init(), maker.result()]), { heldResults: true })).toEqual([
      'no-result',
    ])
  })

  it('may follow a replay without a turn', () => {
    const said = Object.assign(maker.says('earlier'), { isReplay: true })
    expect(rulesOf(loose([said, maker.result()]))).toEqual([])
    expect(rulesOf(loose([said, maker.result(), maker.result()]))).toEqual(['outside-turn'])
  })
})

it('takes the frames of one run without turns', () => {
  const frames = session(plan).slice(AT.started)
  const withoutTurns = frames.filter(({ type }) => type !== 'assistant' && type !== 'result')
  expect(rulesOf(withoutTurns, { source: 'run' })).toEqual([])
})

function session(of: TaskPlan, dialect: Dialect = 'codebuddy'): Loose[] {
  const maker = new FrameMaker(dialect)
  return loose([
    maker.init(),
    maker.toolUse(of.id),
    maker.started(of),
    maker.background([of]),
    maker.launched(of),
    maker.says('It runs'),
    maker.result(),
    maker.progress(of, 1),
    maker.progress(of, 2),
    maker.progress(of, 3),
    maker.progress(of, 4),
    maker.updated(of),
    maker.notified(of),
    maker.background([]),
  ])
}

function loose(frames: OutFrame[]): Loose[] {
  return structuredClone(frames) as unknown as Loose[]
}

function rulesOf(frames: Loose[], options: CheckOptions = {}): string[] {
  return checkFrames(
    frames.map(frame => JSON.stringify(frame)),
    options,
  ).map(({ rule }) => rule)
}

function rowsOf(frame: Loose): Loose[] {
  return frame['workflow_progress'] as Loose[]
}

function swap(frames: Loose[], one: number, other: number): void {
  const first = frames[one]!
  frames[one] = frames[other]!
  frames[other] = first
}

function paused(uuid: string): Loose {
  const session_id = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  const patch = { status: 'paused' }
  return { type: 'system', subtype: 'task_updated', task_id: 'w0', patch, uuid, session_id }
}

function task(id: string): object {
  return { task_id: id, task_type: 'local_workflow', description: 'Audits' }
}
