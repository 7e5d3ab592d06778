import { createSeededRandom } from '@tutti/runtime/testing'
import { expect, test } from 'vitest'
import { launchFrame, launchResult, launchText, syntheticToolUseId } from '../src/launch-result.ts'
import { createFakeHandle, LOCATIONS } from './support/fake-handle.ts'

test('names the task, the run and the files', () => {
  expect(launchResult(createFakeHandle())).toEqual({
    status: 'async_launched',
    taskId: 'w00000001',
    taskType: 'local_workflow',
    workflowName: 'audit',
    runId: 'wf_00000001-abc',
    summary: 'Audit it',
    transcriptDir: LOCATIONS.transcripts,
    scriptPath: LOCATIONS.script,
  })
})

test('carries the warnings of the launch check', () => {
  const handle = { ...createFakeHandle(), warnings: ['one', 'two'] }
  expect(launchResult(handle).warning).toBe('one\ntwo')
  expect(launchText(launchResult(handle))).toContain('Warning: one\ntwo')
})

test('the text has the lines that programs parse', () => {
  const lines = launchText(launchResult(createFakeHandle())).split('\n')
  expect(lines.slice(0, 5)).toEqual([
    'Workflow launched in background. Task ID: w00000001',
    'Summary: Audit it',
    `Transcript dir: ${LOCATIONS.transcripts}`,
    `Script file: ${LOCATIONS.script}`,
    'Run ID: wf_00000001-abc',
  ])
})

test('the frame is the tool result of the launch', () => {
  const random = createSeededRandom(1)
  const toolUseId = syntheticToolUseId(random)
  const output = launchResult(createFakeHandle())
  const frame = launchFrame({ output, toolUseId, sessionId: 's', random })
  expect(toolUseId).toMatch(/^toolu_[0-9a-f]{24}$/)
  expect(frame).toMatchObject({
    type: 'user',
    session_id: 's',
    parent_tool_use_id: null,
    tool_use_result: output,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolUseId }] },
  })
})
