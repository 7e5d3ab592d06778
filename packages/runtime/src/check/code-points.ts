import type { Problem } from './problem.ts'

/** Flags of regions are spelled with tag characters, which are invisible anywhere else. */
const REGION_FLAG = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{2,6}\u{E007F}`

/**
 * Code points that change how a text looks without being seen: what a reviewer reads would not be what runs.
 * Tab, line feed and carriage return are fine; so are the joiners after characters that are not ASCII, which
 * emoji and several scripts are spelled with. Group 1 is what is allowed.
 */
const FORBIDDEN = new RegExp(
  [
    `(${REGION_FLAG})`,
    String.raw`[\0-\x08\v\f\x0E-\x1F\x7F-\x9F]`,
    String.raw`[\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]`,
    String.raw`(?<![^\0-\x7F])[\u200C\u200D]`,
    String.raw`[\u{E0000}-\u{E007F}]`,
  ].join('|'),
  'gu',
)

const BIDIRECTIONAL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** One problem per forbidden code point. */
export function findCodePoints(text: string): Problem[] {
  const problems: Problem[] = []
  for (const { 0: character, 1: allowed, index } of text.matchAll(FORBIDDEN)) {
    if (allowed !== undefined) continue
    const kind = BIDIRECTIONAL.test(character) ? 'changes the direction of text' : 'is invisible'
    problems.push({
      rule: 'code-point',
      severity: 'error',
      offset: index,
      message: `${codePointName(character)} ${kind} and is not allowed; write ${escapeOf(character)} in a string if you need it`,
    })
  }
  return problems
}

/** Text that can be shown: forbidden code points become a replacement character of the same width. */
export function visible(text: string): string {
  return text.replace(
    FORBIDDEN,
    (character, allowed?: string) => allowed ?? '\uFFFD'.repeat(character.length),
  )
}

function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}
