import type { ContentBlock, Settings } from '@tutti/protocol'

/** The word for it: of `--effort`, of the settings, and in a prompt. It is no effort that a model knows. */
export const HIGH_EFFORT = 'ultracode'

/** What may ask for high effort in a turn. */
export interface EffortSigns {
  settings: Pick<Settings, 'ultracode'>
  /** `--effort`. */
  effort?: string
  /** What the turn answers. */
  prompt?: string | ContentBlock[]
  /** Who said it. */
  origin?: { kind: string }
  /** `-p`: nobody typed the prompt into a session. */
  print: boolean
}

/**
 * The model is to plan a workflow for substantial tasks: asked for by flag, by setting, or by the keyword in a
 * prompt that a person typed into a session.
 */
export function wantsHighEffort({ settings, effort, prompt, origin, print }: EffortSigns): boolean {
  if (settings.ultracode === true || effort?.toLowerCase() === HIGH_EFFORT) return true
  return !print && origin?.kind === 'human' && prompt !== undefined && hasKeyword(prompt)
}

/** The word itself, no part of another word, a path, an address or a name of a file. */
const KEYWORD = /(?<![\w./\\@#:=-])ultracode(?![\w/\\@=-]|[.:]\w)/i
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

function hasKeyword(prompt: string | ContentBlock[]): boolean {
  if (typeof prompt === 'string') return KEYWORD.test(prompt.replace(CODE, ' '))
  return prompt.some(
    block => block.type === 'text' && typeof block['text'] === 'string' && hasKeyword(block['text']),
  )
}
