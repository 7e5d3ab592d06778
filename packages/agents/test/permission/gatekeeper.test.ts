import type { AgentContext, AgentEvent, TranscriptLine } from '@tutti/runtime'
import { createVirtualClock } from '@tutti/runtime/testing'
import { expect, test } from 'vitest'
import { createGatekeeper } from '../../src/permission/gatekeeper.ts'
import { createPolicy } from '../../src/permission/policy.ts'

const bash = { name: 'Bash', readOnly: false }

function gate(permission?: AgentContext['permission']) {
  const clock = createVirtualClock()
  const lines: TranscriptLine[] = []
  const events: AgentEvent[] = []
  const stop = new AbortController()
  const keeper = createGatekeeper({
    policy: createPolicy('/p', { allow: ['Bash(ls)'], deny: ['Bash(rm:*)'] }),
    context: { transcript: line => void lines.push(line), ...(permission && { permission }) },
    clock,
    askMs: 1000,
    signal: stop.signal,
    emit: event => void events.push(event),
  })
  const rule = (command: string) => keeper.rule(bash, { command }, { kind: 'command', command })
  return { clock, lines, events, stop, rule }
}

test('each ruling is an event and a line with its source', async () => {
  const { rule, lines, events } = gate()
  expect(await rule('ls')).toMatchObject({ allowed: true, source: 'rule' })
  expect(await rule('rm x')).toMatchObject({
    allowed: false,
    source: 'rule',
    reason: 'rule Bash(rm:*) on "rm x"',
  })
  expect(events).toMatchObject([
    { type: 'permission', tool: 'Bash', allowed: true },
    { type: 'permission', allowed: false },
  ])
  expect(lines[1]).toMatchObject({
    type: 'system',
    subtype: 'permission',
    tool: 'Bash',
    allowed: false,
    source: 'rule',
  })
})

test('without anybody to ask, what no rule allows is denied, with the advice', async () => {
  const { rule } = gate()
  const ruling = await rule('make')
  expect(ruling).toMatchObject({ allowed: false, source: 'nobody' })
  expect(ruling.reason).toMatch(/permissions\.allow; nobody is there to ask/)
})

test('a person is asked, and answers', async () => {
  const asked: unknown[] = []
  const { rule } = gate(async question => {
    asked.push(question)
    return { allowed: true, reason: 'go on' }
  })
  expect(await rule('make')).toEqual({ tool: 'Bash', allowed: true, source: 'person', reason: 'go on' })
  expect(asked).toEqual([
    {
      tool: 'Bash',
      input: { command: 'make' },
      why: 'no rule allows it; allow it with a rule such as "Bash(make)" under permissions.allow',
    },
  ])
})

test('no answer in time is a denial', async () => {
  const { rule, clock } = gate(() => new Promise(() => {}))
  const ruling = rule('make')
  await clock.advance(1000)
  expect(await ruling).toMatchObject({ allowed: false, source: 'time' })
})

test('a stop ends a question', async () => {
  const { rule, stop } = gate(() => new Promise(() => {}))
  const ruling = rule('make')
  stop.abort()
  expect(await ruling).toMatchObject({ allowed: false, source: 'nobody' })
})

test('a question that fails is a denial', async () => {
  const { rule } = gate(() => Promise.reject(new Error('gone')))
  expect(await rule('make')).toMatchObject({ allowed: false, reason: 'it could not be asked: Error: gone' })
})
