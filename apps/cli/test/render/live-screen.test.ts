import { describe, expect, test } from 'vitest'
import { createLiveScreen } from '../../src/render/live-screen.ts'
import { createVirtualTerminal } from '../support/virtual-terminal.ts'

function open(columns = 40, rows = 10) {
  const terminal = createVirtualTerminal(columns, rows)
  const written: string[] = []
  const size = { columns }
  const screen = createLiveScreen({
    write(text) {
      written.push(text)
      terminal.write(text)
    },
    columns: () => size.columns,
  })
  return { terminal, written, screen, size }
}

describe('a live block', () => {
  test('is redrawn in place', () => {
    const { terminal, screen } = open()
    screen.draw(['one', 'two'])
    screen.draw(['one', 'TWO'])
    expect(terminal.screen()).toEqual(['one', 'TWO'])
  })

  test('grows and shrinks without leaving anything behind', () => {
    const { terminal, screen } = open()
    screen.draw(['a', 'b'])
    screen.draw(['a', 'b', 'c', 'd'])
    expect(terminal.screen()).toEqual(['a', 'b', 'c', 'd'])
    screen.draw(['x'])
    expect(terminal.screen()).toEqual(['x'])
  })

  test('rewrites only lines that changed, in one write inside a synchronised update', () => {
    const { written, screen } = open()
    screen.draw(['one', 'two', 'three'])
    screen.draw(['one', '2', 'three'])
    expect(written).toHaveLength(2)
    expect(written[1]?.startsWith('\u001b[?2026h')).toBe(true)
    expect(written[1]?.endsWith('\u001b[?2026l')).toBe(true)
    expect(written[1]).not.toContain('one')
    expect(written[1]).not.toContain('three')
  })

  test('writes nothing when nothing changed', () => {
    const { terminal, screen } = open()
    screen.draw(['one'])
    screen.draw(['one'])
    expect(terminal.writes).toBe(1)
  })

  test('stays whole at the bottom of the screen', () => {
    const { terminal, screen } = open(40, 5)
    terminal.write('old 1\nold 2\nold 3\nold 4\n')
    screen.draw(['a', 'b', 'c'])
    screen.draw(['a', 'B', 'c', 'd'])
    expect(terminal.screen()).toEqual(['a', 'B', 'c', 'd'])
    expect(terminal.scrolledOff().slice(-1)).toEqual(['old 4'])
  })

  test('lets text through above it', () => {
    const { terminal, screen } = open()
    screen.draw(['a', 'b'])
    screen.printAbove('note')
    screen.draw(['a', 'c'])
    expect(terminal.screen()).toEqual(['note', 'a', 'c'])
  })

  test('takes text before its first frame', () => {
    const { terminal, screen } = open()
    screen.printAbove('note')
    screen.draw(['a'])
    expect(terminal.screen()).toEqual(['note', 'a'])
  })

  test('is drawn anew when the window becomes narrower', () => {
    const { terminal, screen, size } = open(20, 10)
    screen.draw(['a line of text', 'another'])
    size.columns = 10
    screen.draw(['a line…', 'another'])
    expect(terminal.screen().slice(-2)).toEqual(['a line…', 'another'])
  })

  test('hides the cursor while it lives and gives it back once', () => {
    const { terminal, written, screen } = open()
    screen.draw(['a'])
    expect(terminal.cursorHidden).toBe(true)
    screen.end()
    screen.end()
    expect(terminal.cursorHidden).toBe(false)
    expect(terminal.screen()).toEqual(['a'])
    screen.draw(['late'])
    expect(written.join('')).not.toContain('late')
  })

  test('can be removed at the end', () => {
    const { terminal, screen } = open()
    terminal.write('before\n')
    screen.draw(['a', 'b'])
    screen.end('clear')
    expect(terminal.screen()).toEqual(['before'])
  })

  test('that never drew leaves nothing', () => {
    const { terminal, screen } = open()
    screen.end()
    expect(terminal.writes).toBe(0)
  })
})
