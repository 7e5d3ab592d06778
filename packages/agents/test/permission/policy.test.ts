import type { PermissionSettings } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { createPolicy, type Verdict } from '../../src/permission/policy.ts'
import type { Wish } from '../../src/tools/tool.ts'

const command = (text: string): Wish => ({ kind: 'command', command: text })
const edit = (path: string): Wish => ({ kind: 'edit', path: `/p/${path}` })
const read = (path: string): Wish => ({ kind: 'read', path: `/p/${path}` })
const site = (host: string): Wish => ({ kind: 'fetch', host })
const READERS = ['Read', 'Grep', 'Glob', 'WebFetch', 'TodoWrite']

function decide(settings: PermissionSettings, name: string, wish: Wish): Verdict['decision'] {
  return createPolicy('/p', settings).decide({ name, readOnly: READERS.includes(name) }, wish).decision
}

describe('without rules', () => {
  test.each([
    ['default', 'allow', 'ask', 'ask', 'allow'],
    ['acceptEdits', 'allow', 'ask', 'ask', 'allow'],
    ['auto', 'allow', 'ask', 'ask', 'allow'],
    ['plan', 'deny', 'deny', 'ask', 'allow'],
    ['dontAsk', 'deny', 'deny', 'deny', 'allow'],
    ['bypassPermissions', 'allow', 'allow', 'allow', 'allow'],
  ] as const)('mode %s: edit %s, command %s, page %s, read %s', (...row) => {
    const [defaultMode, edits, commands, pages, reads] = row
    expect(decide({ defaultMode }, 'Edit', edit('a'))).toBe(edits)
    expect(decide({ defaultMode }, 'Bash', command('ls'))).toBe(commands)
    expect(decide({ defaultMode }, 'WebFetch', site('example.com'))).toBe(pages)
    expect(decide({ defaultMode }, 'Read', read('a'))).toBe(reads)
    expect(decide({ defaultMode }, 'TodoWrite', { kind: 'free' })).toBe('allow')
  })

  test('an unknown mode is refused', () => {
    expect(() => createPolicy('/p', { defaultMode: 'yolo' })).toThrow(
      /defaultMode "yolo" is unknown; known: default/,
    )
  })

  test('places that make others run commands are not changed without being asked for', () => {
    for (const path of ['.git/hooks/pre-commit', '.claude/settings.json', '.mcp.json', 'sub/.GIT/config']) {
      expect(decide({}, 'Write', edit(path))).toBe('ask')
      expect(decide({ allow: ['Edit'] }, 'Write', edit(path))).toBe('ask')
    }
    expect(decide({ allow: ['Edit(.claude/**)'] }, 'Write', edit('.claude/agents/a.md'))).toBe('allow')
  })
})

describe('rules', () => {
  test('deny comes before ask before allow, and holds in every mode', () => {
    const rules = { deny: ['Bash(rm:*)'], ask: ['Bash(git push:*)'], allow: ['Bash'] }
    for (const defaultMode of ['default', 'bypassPermissions', 'dontAsk']) {
      expect(decide({ ...rules, defaultMode }, 'Bash', command('npm test && rm x'))).toBe('deny')
      expect(decide({ ...rules, defaultMode }, 'Bash', command('git push origin'))).toBe('ask')
      expect(decide({ ...rules, defaultMode }, 'Bash', command('ls | wc'))).toBe('allow')
    }
  })

  test('each part of a command must be allowed', () => {
    const rules = { allow: ['Bash(npm test:*)', 'Bash(git diff:*)'] }
    expect(decide(rules, 'Bash', command('npm test && git diff --stat'))).toBe('allow')
    expect(decide(rules, 'Bash', command('npm test && curl x'))).toBe('ask')
    expect(decide(rules, 'Bash', command('npm test $(curl x)'))).toBe('ask')
    expect(decide(rules, 'Bash', command('npm test > out'))).toBe('ask')
  })

  test('reading rules hold for searching too, and hide files from it', () => {
    const policy = createPolicy('/p', { deny: ['Read(.env)', 'Read(//etc/**)'] })
    for (const name of ['Read', 'Grep', 'Glob'])
      expect(policy.decide({ name, readOnly: true }, read('x/.env')).decision).toBe('deny')
    expect(policy.hides('/p/x/.env')).toBe(true)
    expect(policy.hides('/p/x/env')).toBe(false)
  })

  test('rules about edits hold for every tool that writes', () => {
    expect(decide({ deny: ['Edit(src/**)'] }, 'Write', edit('src/a'))).toBe('deny')
    expect(decide({ deny: ['Write(src/**)'] }, 'Edit', edit('src/a'))).toBe('deny')
    expect(decide({ deny: ['Edit'] }, 'Write', edit('a'))).toBe('deny')
    expect(decide({ ask: ['Edit(*.lock)'] }, 'Edit', edit('deep/pnpm.lock'))).toBe('ask')
  })

  test('pages are allowed by domain', () => {
    const rules = { allow: ['WebFetch(domain:example.com)', 'WebFetch(domain:*.docs.dev)'] }
    expect(decide(rules, 'WebFetch', site('Example.com'))).toBe('allow')
    expect(decide(rules, 'WebFetch', site('a.docs.dev'))).toBe('allow')
    expect(decide(rules, 'WebFetch', site('evildocs.dev'))).toBe('ask')
    expect(decide(rules, 'WebFetch', site('sub.example.com'))).toBe('ask')
  })

  test.each(['mcp__db', 'mcp__db__*', 'mcp__db__query'])('tools of a server are allowed by %s', rule => {
    expect(decide({ allow: [rule] }, 'mcp__db__query', { kind: 'foreign' })).toBe('allow')
    expect(decide({ allow: [rule] }, 'mcp__dbx__query', { kind: 'foreign' })).toBe('ask')
  })

  test('a denied tool is removed; a denied use is not', () => {
    const policy = createPolicy('/p', { deny: ['Bash', 'WebFetch', 'Read(.env)', 'mcp__db'] })
    expect(['Bash', 'WebFetch', 'Read', 'mcp__db__q'].map(policy.removes)).toEqual([true, true, false, true])
  })

  test.each(['Read(', 'Read(a', '(x)', '', 'Bash(x'])('%j is no rule', rule => {
    expect(() => createPolicy('/p', { deny: [rule] })).toThrow(/permission rule/)
  })

  test('rules about unknown tools do nothing', () => {
    expect(decide({ deny: ['NotebookEdit(x)', 'Task'] }, 'Edit', edit('x'))).toBe('allow')
  })
})
