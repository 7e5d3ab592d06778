import type { OutgoingFrame } from '@tutti/session'
import { expect, test } from 'vitest'
import { narrate } from '../../src/session/narrate.ts'

test('the beginning and the end of a workflow are told', () => {
  const started = {
    type: 'system',
    subtype: 'task_started',
    task_id: 'w1',
    workflow_name: 'audit',
    description: 'x',
  }
  expect(narrate(started)).toBe('workflow audit started, task w1')
  expect(narrate({ ...started, subtype: 'task_notification', summary: 'It ended.' } as OutgoingFrame)).toBe(
    'It ended.',
  )
})

test('tools that were denied are told, by their names', () => {
  const result = (...names: string[]): OutgoingFrame =>
    ({ type: 'result', permission_denials: names.map(tool_name => ({ tool_name })) }) as OutgoingFrame
  expect(narrate(result('Bash', 'Write', 'Bash'))).toBe(
    '3 uses of tools were denied: Bash, Write; --allowedTools and --permission-mode allow more',
  )
  expect(narrate(result('Bash'))).toMatch(/^1 use of a tool was denied: Bash;/)
  expect(narrate(result())).toBeUndefined()
})

test('everything else is not', () => {
  for (const frame of [
    { type: 'assistant' },
    { type: 'system', subtype: 'task_progress' },
    { type: 'user' },
  ]) {
    expect(narrate(frame)).toBeUndefined()
  }
})
