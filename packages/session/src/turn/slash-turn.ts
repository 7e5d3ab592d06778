import type { ChatToolResult } from '@tutti/agents/chat'
import type { ContentBlock } from '@tutti/protocol'
import { syntheticToolUseId } from '../launch-result.ts'
import type { DeskCommand } from '../workflow/types.ts'
import type { UserDetails } from './chat-frames.ts'
import { askBeforeTool, rulingOf } from './exchange.ts'
import { addFailure, addLocalTurn } from './tally.ts'
import type { TurnScene } from './turn-runner.ts'

interface SlashPrompt {
  /** What was typed. */
  content: string | ContentBlock[]
  uuid: string
  show: Pick<UserDetails, 'show'>
}

/** A command that is answered without the model. */
export function answerCommand(
  scene: TurnScene,
  { content, uuid, show, text }: SlashPrompt & { text: string },
): void {
  const { frames, openChat, tally } = scene
  const answer = [{ type: 'text', text }]
  frames.user(content, { uuid, ...show })
  frames.synthetic(answer)
  openChat.append({ role: 'user', content }, { role: 'assistant', content: answer })
  addLocalTurn(tally, text)
}

/** Launches a workflow as if the model had asked for it, so that there is a tool use to refer to. */
export async function launchBySlash(
  scene: TurnScene,
  { content, uuid, show, command }: SlashPrompt & { command: DeskCommand & { kind: 'workflow' } },
): Promise<void> {
  const { frames, openChat, tally } = scene
  const toolUseId = syntheticToolUseId(scene.random)
  const use = { type: 'tool_use', id: toolUseId, name: 'Workflow', input: command.input }
  frames.user(content, { uuid, ...show })
  frames.synthetic([use])
  await frames.kept()
  const result = await launch(scene, command, toolUseId)
  frames.toolResult(toolUseId, result)
  openChat.append(
    { role: 'user', content },
    { role: 'assistant', content: [use] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: toolUseId,
          content: result.content,
          ...(result.failed === true && { is_error: true }),
        },
      ],
    },
  )
  const text = textOf(result)
  if (result.failed === true) addFailure(tally, text)
  else addLocalTurn(tally, text)
}

async function launch(
  { hooks, signal }: TurnScene,
  { input, run }: DeskCommand & { kind: 'workflow' },
  toolUseId: string,
): Promise<ChatToolResult> {
  try {
    const verdict = await askBeforeTool(hooks, { toolName: 'Workflow', toolUseId, input }, signal)
    const { decision, reason, updatedInput } = rulingOf(verdict)
    if (decision === 'deny') return { content: reason ?? 'a hook denied it', failed: true }
    return await run(updatedInput ?? input, {
      toolUseId,
      signal,
      ...(decision === 'allow' && { allowed: true }),
      ...(decision === 'ask' && { mustAsk: true }),
    })
  } catch (error) {
    return { content: error instanceof Error ? error.message : String(error), failed: true }
  }
}

function textOf({ content }: ChatToolResult): string {
  if (typeof content === 'string') return content
  return content.map(block => (typeof block['text'] === 'string' ? block['text'] : '')).join('\n')
}
