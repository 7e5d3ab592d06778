import type { JsonObject } from '@tutti/protocol'
import { hiddenIn } from '../hidden-in.ts'
import type { Turn } from '../model/turn.ts'
import type { Policy, Verdict } from '../permission/policy.ts'
import { deniedText, objectOf, problemText, unknownTool } from '../tools/kit.ts'
import type { Wish } from '../tools/tool.ts'
import { INTERRUPTED } from './complete-history.ts'
import type { OfferedTool } from './offered-tool.ts'
import type { BeforeToolRuling, ChatPermissionAnswer, ChatToolResult, HookedUse, TurnStage } from './types.ts'
import { TurnAborted, untilAborted } from './until-aborted.ts'

export type ToolCall = Turn['toolCalls'][number]

/** What came of one use of a tool. */
export interface UseEnd {
  result: ChatToolResult
  denial?: { tool_name: string; tool_use_id: string; tool_input: JsonObject }
  /** The turn ends, for this reason. */
  stop?: string
}

/** What uses of tools are performed with. */
export interface UseContext {
  tools: readonly OfferedTool[]
  /** As the permissions are now. */
  policy(): Policy
  /** Throws WorkflowInputError for what cannot be read. */
  updatePermissions(updates: NonNullable<Consent['updatedPermissions']>): void
  stage: TurnStage
  hide(text: string): string
}

type Consent = Extract<ChatPermissionAnswer, { allowed: true }>

/** Checks, asks whom must be asked, runs. Never rejects: what goes wrong is told to the model. */
export async function performUse(call: ToolCall, context: UseContext): Promise<UseEnd> {
  const { stage, hide } = context
  let end: UseEnd
  try {
    end = stage.signal.aborted ? interrupted() : await use(call, context)
  } catch (error) {
    end = error instanceof TurnAborted ? interrupted() : problem(problemText(call.toolName, error))
  }
  const { content, structured } = end.result
  const result: ChatToolResult = {
    ...end.result,
    content: typeof content === 'string' ? hide(content) : hiddenIn(content, hide),
    ...(structured !== undefined && { structured: hiddenIn(structured, hide) }),
  }
  return { ...end, result }
}

async function use(call: ToolCall, context: UseContext): Promise<UseEnd> {
  const { tools, stage } = context
  const tool = tools.find(({ name, aliases }) => name === call.toolName || aliases.includes(call.toolName))
  if (!tool) return problem(unknownTool(call.toolName, tools))
  const given = objectOf(call.input, tool.name)
  const what: HookedUse = { toolName: tool.name, toolUseId: call.toolCallId, input: given }
  const ruling = (await heard(stage, what)) ?? {}
  const input = ruling.updatedInput ?? given
  const added = [ruling.additionalContext]
  if (ruling.stop)
    return {
      ...problem(`Not done: ${ruling.reason ?? 'stopped'}`),
      stop: ruling.reason ?? 'stopped by a hook',
    }

  const decided = await decide({ ...what, input }, { tool, ruling, context })
  if ('end' in decided) return withContext(decided.end, added)
  if (stage.signal.aborted) return interrupted()
  const result = await decided.run()
  added.push(await afterwards(stage, { ...what, input: decided.input, result }))
  const denial = result.denied === true && denialOf({ ...what, input: decided.input })
  return withContext({ result, ...(denial && { denial }) }, added)
}

async function heard(stage: TurnStage, what: HookedUse): Promise<BeforeToolRuling | undefined> {
  try {
    const ruling = stage.beforeTool?.(what)
    return ruling && (await untilAborted(ruling, stage.signal))
  } catch (error) {
    if (error instanceof TurnAborted) throw error
    return { decision: 'deny', reason: `a hook could not be heard: ${textOf(error)}` }
  }
}

interface Case {
  tool: OfferedTool
  ruling: BeforeToolRuling
  context: UseContext
}

type Decided = { input: JsonObject; run(): Promise<ChatToolResult> } | { end: UseEnd }

async function decide(what: HookedUse, { tool, ruling, context }: Case): Promise<Decided> {
  const { stage } = context
  const prepared = await tool.prepare(what.input, {
    toolUseId: what.toolUseId,
    signal: stage.signal,
    ...(ruling.decision === 'allow' && { allowed: true }),
    ...(ruling.decision === 'ask' && { mustAsk: true }),
  })
  const { decision, reason } = judge(tool, prepared.wish, { ruling, policy: context.policy() })
  if (decision === 'deny') return { end: denied(what, reason) }
  if (decision === 'allow') return { input: what.input, run: prepared.run }

  const answer = await asked(what, reason, stage)
  if (!answer.allowed)
    return { end: { ...denied(what, answer.reason), ...(answer.interrupt && { stop: answer.reason }) } }
  try {
    if (answer.updatedPermissions) context.updatePermissions(answer.updatedPermissions)
  } catch (error) {
    return {
      end: denied(what, `the answer changes permissions in a way that cannot be read: ${textOf(error)}`),
    }
  }
  if (!answer.updatedInput) return { input: what.input, run: prepared.run }
  const changed = { ...what, input: answer.updatedInput }
  const again = await tool.prepare(changed.input, { toolUseId: what.toolUseId, signal: stage.signal })
  const verdict = judge(tool, again.wish, { ruling: {}, policy: context.policy() })
  return verdict.decision === 'deny' && verdict.source === 'rule'
    ? { end: denied(changed, verdict.reason) }
    : { input: changed.input, run: again.run }
}

/** A hook may forbid all and allow what no rule denies or asks for. A tool that decides itself asks for itself, too. */
function judge(
  tool: OfferedTool,
  wish: Wish,
  { ruling, policy }: { ruling: BeforeToolRuling; policy: Policy },
): Verdict {
  const { decision, reason = `a hook said ${decision}` } = ruling
  const byHook = (decision: Verdict['decision']): Verdict => ({ decision, source: 'default', reason })
  if (decision === 'deny') return byHook('deny')
  const own: Verdict = tool.decidesItself
    ? { decision: 'allow', source: 'default', reason: 'the tool asks for itself' }
    : policy.decide(tool, wish)
  if (decision === 'ask' && tool.decidesItself) return own
  if (decision === undefined || (own.source === 'rule' && own.decision !== 'allow')) return own
  return decision === 'ask' && own.decision === 'deny' ? own : byHook(decision)
}

async function asked(what: HookedUse, reason: string, stage: TurnStage): Promise<ChatPermissionAnswer> {
  const { signal } = stage
  try {
    const answer = stage.permission?.({ ...what, reason, signal })
    if (answer) return await untilAborted(answer, signal)
    return { allowed: false, reason: `${reason}; nobody is there to ask` }
  } catch (error) {
    if (error instanceof TurnAborted) throw error
    return { allowed: false, reason: `it could not be asked: ${textOf(error)}` }
  }
}

async function afterwards(
  stage: TurnStage,
  use: HookedUse & { result: ChatToolResult },
): Promise<string | undefined> {
  if (stage.signal.aborted) return undefined
  try {
    const heard = stage.afterTool?.(use)
    return heard && (await untilAborted(heard, stage.signal)).additionalContext
  } catch {
    // What was done is done; its result is worth more than the hook.
    return undefined
  }
}

function withContext(end: UseEnd, added: (string | undefined)[]): UseEnd {
  const texts = added.filter(text => text !== undefined && text !== '')
  if (texts.length === 0) return end
  const { content } = end.result
  const more = texts.join('\n\n')
  return {
    ...end,
    result: {
      ...end.result,
      content:
        typeof content === 'string' ? `${content}\n\n${more}` : [...content, { type: 'text', text: more }],
    },
  }
}

function denied(what: HookedUse, reason: string): UseEnd {
  return { ...problem(deniedText(what.toolName, reason)), denial: denialOf(what) }
}

function denialOf({ toolName, toolUseId, input }: HookedUse): NonNullable<UseEnd['denial']> {
  return { tool_name: toolName, tool_use_id: toolUseId, tool_input: input }
}

function interrupted(): UseEnd {
  return problem(INTERRUPTED)
}

function problem(text: string): UseEnd {
  return { result: { content: text, failed: true } }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
