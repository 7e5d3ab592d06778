import type { Effects, JsonObject } from '@tutti/protocol'
import type { AgentEvent } from '@tutti/runtime'
import { parseJson } from '../json.ts'
import type { Gatekeeper } from '../permission/gatekeeper.ts'
import { ToolProblem, type PreparedUse, type Tool, type ToolResult } from './tool.ts'
import type { Workplace } from './workplace.ts'

/** The tools of one agent, ready to use. */
export interface Kit {
  tools: readonly Tool[]
  /** What holds for the place and the project; the same for all agents that work there. */
  background: string
  /** `yes` once a tool ran that may have changed something. */
  readonly effects: Effects
  /** Checks, decides, runs. Never throws: what goes wrong is told to the model. */
  use(name: string, input: string): Promise<ToolResult>
  /** Removes what the agent left in temporary places. */
  end(): Promise<void>
}

export interface KitParts {
  tools: readonly Tool[]
  background: string
  workplace: Workplace
  gatekeeper: Gatekeeper
  /** Called when the agent has ended. */
  leave?(): void | Promise<void>
  emit(event: AgentEvent): void
}

export function createKit(parts: KitParts): Kit {
  const { tools, background, workplace, gatekeeper, emit } = parts
  let effects: Effects = 'none'

  async function use(tool: Tool, text: string): Promise<ToolResult> {
    const input = objectOf(text, tool.name)
    const prepared = await tool.prepare(input, workplace)
    const ruling = await gatekeeper.rule(tool, input, prepared.wish)
    if (!ruling.allowed) throw new ToolProblem(deniedText(tool.name, ruling.reason))
    if (workplace.signal.aborted) throw new ToolProblem('Stopped.')
    if (!tool.readOnly) effects = 'yes'
    return await perform(tool.name, prepared)
  }

  async function perform(name: string, { summary, run }: PreparedUse): Promise<ToolResult> {
    emit({ type: 'tool_start', name, ...(summary !== undefined && { summary: summary.slice(0, 200) }) })
    try {
      return await run()
    } finally {
      emit({ type: 'tool_end', name })
    }
  }

  return {
    tools,
    background,
    get effects() {
      return effects
    },
    async use(name, text) {
      const tool = tools.find(tool => tool.name === name)
      if (!tool) return { text: unknownTool(name, tools), failed: true }
      try {
        return await use(tool, text)
      } catch (error) {
        return { text: problemText(name, error), failed: true }
      }
    },
    async end() {
      await parts.leave?.()
      await workplace.spill.end()
    },
  }
}

/** What the model is told of a use that failed. */
export function problemText(name: string, error: unknown): string {
  if (error instanceof ToolProblem) return error.message
  return `${name} failed: ${error instanceof Error ? error.message : String(error)}`
}

export function deniedText(name: string, reason: string): string {
  return `Permission for ${name} was denied: ${reason}.`
}

export function unknownTool(name: string, tools: readonly Pick<Tool, 'name'>[]): string {
  const known = tools.map(tool => tool.name).join(', ')
  return `There is no tool ${name}; ${known === '' ? 'there are no tools' : `the tools are ${known}`}.`
}

/** Throws ToolProblem for a text that is no JSON object. */
export function objectOf(text: string, name: string): JsonObject {
  const parsed = parseJson(text.trim() === '' ? '{}' : text)
  if ('problem' in parsed) throw new ToolProblem(`The input for ${name} is not valid JSON: ${parsed.problem}`)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ToolProblem(`The input for ${name} must be an object.`)
  return value
}
