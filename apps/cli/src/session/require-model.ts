import { backendProblem } from '@tutti/agents'
import type { Project } from '../setup/project.ts'
import { UsageError } from '../usage-error.ts'

/** Throws UsageError when a prompt needs a model and none can be asked. A workflow by its name needs none. */
export function requireModel({ env, settings }: Project, prompts: readonly string[]): void {
  if (prompts.every(prompt => prompt.trimStart().startsWith('/'))) return
  if (backendProblem('model', env, settings) === undefined) return
  throw new UsageError(
    'no model is configured that could answer',
    'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY (with ANTHROPIC_BASE_URL or OPENAI_BASE_URL for another server). A saved workflow can be started without: tutti -p "/name …".',
    'backend-not-ready',
  )
}
