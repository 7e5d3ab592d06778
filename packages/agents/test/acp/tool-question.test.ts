import { expect, test } from 'vitest'
import { toolQuestion } from '../../src/acp/tool-question.ts'

const commandOf = (rawInput: unknown, title = 'title'): unknown =>
  toolQuestion({ kind: 'execute', title, rawInput }).input['command']

test.each([
  [{ command: 'npm test' }, 'npm test'],
  [{ command: ['bash', '-lc', 'rm -rf x; ls'] }, 'rm -rf x; ls'],
  [{ command: ['git', 'commit', '-m', "it's"] }, `git commit -m 'it'\\''s'`],
  [{ command: ['echo', 'a; rm b'] }, `echo 'a; rm b'`],
  [{}, 'title'],
  [undefined, 'title'],
])('%j runs %s', (rawInput, command) => {
  expect(commandOf(rawInput)).toBe(command)
})

test('kinds of tools have the names that rules use', () => {
  expect(toolQuestion({ kind: 'edit', title: 'Edit a', locations: [{ path: '/p/a' }] })).toEqual({
    tool: 'Edit',
    input: { file_path: '/p/a' },
  })
  expect(toolQuestion({ kind: 'fetch', title: 'x' }).tool).toBe('WebFetch')
  expect(toolQuestion({ title: 'deploy' }).tool).toBe('deploy')
  expect(toolQuestion({ kind: 'other', title: 'tutti_StructuredOutput' }).tool).toBe('StructuredOutput')
})
