import { GUIDE_BASICS } from './basics.ts'
import { GUIDE_MISTAKES } from './mistakes.ts'
import { GUIDE_PATTERNS } from './patterns.ts'
import { GUIDE_PRIMITIVES } from './primitives.ts'

/** How to write a workflow script, for a model that has never seen one. Loaded on demand. */
export const WORKFLOW_GUIDE: string = [GUIDE_BASICS, GUIDE_PRIMITIVES, GUIDE_PATTERNS, GUIDE_MISTAKES].join(
  '\n\n',
)
