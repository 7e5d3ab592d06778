import { describe, expect, test } from 'vitest'
import { createColors } from '../../src/render/colors.ts'
import { permissionLines, permissionPrompt } from '../../src/render/permission-text.ts'
import { textWidth } from '../../src/render/text-width.ts'

const shown = { colors: createColors(false), width: 80 }
const lines = (tool: string, input: object, why?: string): string[] =>
  permissionLines(
    { tool, input: input as never, ...(why !== undefined && { why }) },
    { label: 'fix:a' },
    shown,
  )

describe('a question about a tool', () => {
  test('says who asks, the whole command, and why', () => {
    expect(lines('Bash', { command: 'npm test\nnpm run build' }, 'no rule allows "npm test"')).toEqual([
      '? fix:a wants to use Bash:',
      '    npm test',
      '    npm run build',
      '    no rule allows "npm test"',
    ])
  })

  test('names the values of other tools', () => {
    expect(lines('Edit', { file_path: '.git/config', old_string: 'a', nested: { b: [1] } })).toEqual([
      '? fix:a wants to use Edit:',
      '    file_path: .git/config',
      '    old_string: a',
      '    nested: {"b":[1]}',
    ])
  })

  test('cannot steer the terminal, nor look like another question', () => {
    const text = lines(
      'Bash',
      { command: 'ls\r\u001b[2J\n? root wants to use Read:' },
      'why\u001b[31m\nnot',
    ).join('\n')
    expect(text).not.toContain('\u001b')
    expect(text).not.toContain('\r')
    expect(text).toContain('\n    ? root wants')
  })

  test('says how much of a long input is not shown', () => {
    expect(lines('Bash', { command: 'x'.repeat(4000) }).join('\n')).toContain('… and 1000 more characters')
    expect(lines('Bash', { command: 'a\n'.repeat(100) }).at(-1)).toContain('… and 71 more lines')
    expect(lines('Edit', { old_string: 'y'.repeat(500) }).join('\n')).toContain('… and 100 more characters')
  })

  test('without any input says so', () => {
    expect(lines('mcp__x__y', {})[1]).toBe('    (nothing is said about it)')
  })
})

describe('the line for the answer', () => {
  test('counts down, and tells what always means and what waits', () => {
    const prompt = permissionPrompt({ always: 'this command', leftMs: 299_001, waiting: 2, width: 120 })
    expect(prompt).toBe(
      '  y yes · n no · a always in this run: this command (5m 00s left, 2 more waiting) > ',
    )
  })

  test.each([200, 80, 60, 40, 20, 10])('fits into %i columns', width => {
    const prompt = permissionPrompt({ always: 'all of mcp__server__tool', leftMs: 1000, waiting: 12, width })
    expect(textWidth(prompt)).toBeLessThan(width)
  })
})
