import type { Positions, Primordials } from './types.ts'

/**
 * Runs in the engine, whose columns count code points and point at the `(` of a call and the `.` of a property
 * read. Editors count UTF-16 units and expect the name.
 */
export function createPositions(p: Primordials, source: string, lineOneShift: number): Positions {
  const starts = p.bareList<number>()
  const known = p.newMap<string, string>()

  function lineText(line: number): string {
    if (starts.length === 0) {
      for (let at = 0; at >= 0; at = p.indexOf(source, '\n', at) + 1 || -1) starts[starts.length] = at
    }
    const start = starts[line - 1]
    if (start === undefined) return ''
    const next = starts[line]
    return p.slice(source, start, next === undefined ? source.length : next - 1)
  }

  function translate(raw: string): string {
    let place = p.mapGet(known, raw)
    if (place === undefined) {
      place = locate(raw)
      p.mapSet(known, raw, place)
    }
    return place
  }

  function locate(raw: string): string {
    const colon = p.indexOf(raw, ':')
    const line = p.toNumber(p.slice(raw, 0, colon))
    const column = p.toNumber(p.slice(raw, colon + 1)) - (line === 1 ? lineOneShift : 0)
    const text = lineText(line)
    return line + ':' + (nameAt(text, unitIndex(text, column - 1)) + 1)
  }

  /** The index of a code point, in UTF-16 units. */
  function unitIndex(text: string, codePoints: number): number {
    let index = 0
    for (let seen = 0; seen < codePoints && index < text.length; seen++) {
      const unit = p.charCodeAt(text, index)
      index += unit >= 0xd8_00 && unit < 0xdc_00 ? 2 : 1
    }
    return index
  }

  function nameAt(text: string, index: number): number {
    const unit = p.charCodeAt(text, index)
    if (unit === 46) return index + 1
    if (unit !== 40) return index
    const start = wordStart(text, skipBlanks(text, index))
    if (start === index) return index
    const before = skipBlanks(text, start)
    const isNew = before < start && p.slice(text, wordStart(text, before), before) === 'new'
    return isNew ? before - 3 : start
  }

  function wordStart(text: string, end: number): number {
    let start = end
    while (start > 0 && isWord(p.charCodeAt(text, start - 1))) start--
    return start
  }

  function skipBlanks(text: string, end: number): number {
    let start = end
    while (start > 0 && p.charCodeAt(text, start - 1) === 32) start--
    return start
  }

  function isWord(unit: number): boolean {
    if (unit > 127 || unit === 36 || unit === 95) return true
    return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)
  }

  return { translate }
}
