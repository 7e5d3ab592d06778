import { openWorkflows } from '@tutti/storage'
import type { Project } from '../setup/project.ts'
import { UsageError } from '../usage-error.ts'
import { chatEndpoint } from './chat-endpoint.ts'

/**
 * Throws UsageError when a prompt needs a model and none can be asked. A command, such as the name of a saved
 * workflow, needs none.
 */
export async function requireModel(project: Project, prompts: readonly string[]): Promise<void> {
  if (chatEndpoint(project) !== undefined) return
  for (const prompt of prompts) {
    const name = /^\s*\/(\S+)/.exec(prompt)?.[1]
    if (name === undefined) throw noModel('no model is configured that could answer')
    if (OWN.has(name)) continue
    const saved = await openWorkflows(project).list()
    if (saved.some(workflow => workflow.name === name)) continue
    throw noModel(`there is no saved workflow "${name}", and no model is configured that could answer`)
  }
}

const OWN = new Set(['help', 'workflows'])

function noModel(message: string): UsageError {
  return new UsageError(
    message,
    'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY (with ANTHROPIC_BASE_URL or OPENAI_BASE_URL for another server). A saved workflow can be started without: tutti -p "/name …"; tutti ls --workflows lists them.',
    'backend-not-ready',
  )
}
