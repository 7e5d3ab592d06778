import type { Program } from 'acorn'
import { full } from 'acorn-walk'
import type { Report } from '../problem.ts'

/**
 * U+2028 and U+2029 end a line for the engine but not for most editors: outside of strings they could make
 * code look like a comment.
 */
export function lintLineSeparators(program: Program, text: string, report: Report): void {
  const separators = [...text.matchAll(/[\u2028\u2029]/g)]
  if (separators.length === 0) return
  const strings: { start: number; end: number }[] = []
  full(program, node => {
    const isString = node.type === 'Literal' && typeof node.value === 'string'
    if (isString || node.type === 'TemplateElement') strings.push(node)
  })
  strings.sort((a, b) => a.start - b.start)
  let next = 0
  for (const { 0: character, index } of separators) {
    while ((strings[next]?.end ?? Infinity) <= index) next++
    if ((strings[next]?.start ?? Infinity) <= index) continue
    report({
      rule: 'code-point',
      severity: 'error',
      offset: index,
      message: `U+${character.charCodeAt(0).toString(16)} ends a line unseen and is not allowed outside of strings`,
    })
  }
}
