import type { Chat, ChatMessage } from '@tutti/agents/chat'
import type { ContentBlock, UserFrame } from '@tutti/protocol'
import { appendedPrompt, extraTools } from '../chat-config.ts'
import { asText } from '../json-fields.ts'
import { runSummary } from '../run-summary.ts'
import type { SessionParts } from '../session-parts.ts'
import { wantsHighEffort } from '../workflow/high-effort.ts'
import type { EndedWorkflow, WorkflowDesk } from '../workflow/types.ts'
import { exchange } from './exchange.ts'
import { initFrame, type InitOptions } from './init-frame.ts'
import { answerCommand, launchBySlash } from './slash-turn.ts'
import { addFailure, addInterruption, addLocalTurn, addTurn, type Tally } from './tally.ts'
import type { Work } from './work-queue.ts'

/** Runs turns, one at a time. */
export interface TurnRunner {
  /** Adds what came of it to the tally. Never rejects. */
  run(work: Work, tally: Tally, signal: AbortSignal): Promise<void>
  /** The model is to know this when it is next spoken to. */
  remember(text: string): void
}

/** What a turn is run with. */
export interface TurnScene extends SessionParts {
  openChat: Chat
  openDesk: WorkflowDesk
  tally: Tally
  signal: AbortSignal
}

/** A host that keeps a turn from ending is heard so often. */
const MOST_STOP_HOOKS = 20

export function createTurnRunner(parts: SessionParts): TurnRunner {
  const remembered: string[] = []
  let busy: Promise<unknown> = Promise.resolve()
  let begun = false
  /** The turn has its `init`. */
  let shown = false
  /** The model had said all: an interrupt after that changes nothing any more. */
  let answered = false

  const run = async (work: Work, tally: Tally, signal: AbortSignal): Promise<void> => {
    await Promise.race([Promise.all([busy, parts.servers.settled()]), aborted(signal)])
    const openDesk = await parts.desk.open()
    await tellOfWorkflows(parts, openDesk, work)
    const openChat = await parts.chat.open()
    const scene: TurnScene = { ...parts, openChat, openDesk, tally, signal }
    await writeInit(parts, { chat: openChat, desk: openDesk })
    shown = true
    for (const text of remembered.splice(0)) {
      openChat.append({ role: 'user', content: text })
      parts.frames.user(text, { isMeta: true })
    }
    if (signal.aborted) return
    if (work.kind === 'notification') await runNotification(scene, work.workflows)
    else await runPrompt(scene, work.frame, work.uuid)
  }

  const runNotification = async (scene: TurnScene, workflows: EndedWorkflow[]): Promise<void> => {
    const { openChat, frames, tally } = scene
    const show = { origin: { kind: 'task-notification' }, isSynthetic: true }
    for (const { text } of workflows) frames.user(text, { isMeta: true, show })
    const said = workflows.map(({ text }): ChatMessage => ({ role: 'user', content: text }))
    const last = said.pop()
    openChat.append(...said)
    if (last === undefined) return
    if (openChat.modelId !== undefined) return converse(scene, last)
    openChat.append(last)
    addLocalTurn(tally, workflows.map(({ end }) => runSummary(end.record)).join('\n'))
  }

  const runPrompt = async (scene: TurnScene, frame: UserFrame, uuid: string): Promise<void> => {
    const { frames, hooks, openDesk, options, tally, signal, note } = scene
    const { content } = frame.message
    if (isEmpty(content)) return addFailure(tally, 'the message is empty')
    const text = plainText(content)
    const context = begun ? [] : await startOfSession(scene)
    begun = true
    const verdict = await hooks.run('UserPromptSubmit', { input: { prompt: text ?? '' }, signal })
    const show = options.replayUserMessages === true ? { show: { isReplay: true } } : {}
    const refused = verdict.stop ?? verdict.block
    if (refused !== undefined) {
      frames.user(content, { uuid, ...show })
      return addLocalTurn(tally, refused)
    }
    const command = text?.startsWith('/') ? await openDesk.command(text) : undefined
    if (signal.aborted) return
    // A command does not go to the model; what it was to hear at the start waits for what does.
    if (command !== undefined && command.kind !== 'hint') remembered.push(...context)
    if (command?.kind === 'answer') return answerCommand(scene, { content, uuid, show, text: command.text })
    if (command?.kind === 'workflow') return launchBySlash(scene, { content, uuid, show, command })
    const hints = command === undefined ? [] : [command.text]
    for (const hint of hints) note(`tutti: ${hint}`)
    const message = withContext(content, [...context, ...verdict.context, ...hints])
    frames.user(message, { uuid, ...show })
    await converse(scene, { role: 'user', content: message })
  }

  /** The model answers, and goes on for as long as hooks want it to. */
  const converse = async (scene: TurnScene, first: ChatMessage): Promise<void> => {
    const { openChat: chat, hooks, frames, tally, signal } = scene
    let message = first
    for (let round = 0; ; round++) {
      const { end, over, stoppedByHook } = await exchange({ ...scene, chat }, message, signal)
      busy = over
      addTurn(tally, end)
      answered = end.outcome === 'success'
      scene.spending.addTurn(end.usage)
      if (stoppedByHook !== undefined) return addLocalTurn(tally, end.text === '' ? stoppedByHook : end.text)
      if (end.outcome !== 'success' || signal.aborted || round >= MOST_STOP_HOOKS) return
      const verdict = await hooks.run('Stop', {
        input: { stop_hook_active: round > 0, last_assistant_message: end.text },
        signal,
      })
      if (verdict.block === undefined || verdict.stop !== undefined || signal.aborted) return
      message = { role: 'user', content: verdict.block }
      frames.user(verdict.block, { isMeta: true })
    }
  }

  return {
    async run(work, tally, signal) {
      shown = false
      answered = false
      try {
        await run(work, tally, signal)
      } catch (error) {
        if (!shown) await writeInit(parts)
        addFailure(tally, parts.scrub.message(error instanceof Error ? error.message : String(error)))
      }
      if (signal.aborted && !answered) addInterruption(tally, reasonOf(signal))
    },
    remember: text => void remembered.push(text),
  }
}

/** Tools of workflows, and what the system prompt says about them. */
async function tellOfWorkflows(
  { chat, options, host, servers }: SessionParts,
  desk: WorkflowDesk,
  work: Work,
): Promise<void> {
  const { config } = options
  const frame = work.kind === 'prompt' ? work.frame : undefined
  const highEffort = wantsHighEffort({
    settings: config.settings,
    print: config.print,
    ...(config.effort !== undefined && { effort: config.effort }),
    ...(frame !== undefined && { prompt: frame.message.content }),
    ...(frame?.origin !== undefined && { origin: frame.origin }),
  })
  const instructions = await desk.instructions({ highEffort })
  const appendSystemPrompt = appendedPrompt(config.appendSystemPrompt, host.appendSystemPrompt, instructions)
  if (appendSystemPrompt !== chat.config.appendSystemPrompt) chat.change({ appendSystemPrompt })
  if (chat.opened === undefined) chat.change({ extraTools: extraTools(desk.tools, servers.tools) })
}

async function writeInit(parts: SessionParts, opened?: InitOptions['opened']): Promise<void> {
  const { options, host, servers, outbox, chat } = parts
  const types = opened === undefined ? [] : await options.agents()
  const frame = await initFrame({
    ...(opened !== undefined && { opened }),
    cwd: options.cwd,
    permissionMode: chat.config.permissions.defaultMode ?? 'default',
    agents: [...types.map(({ name }) => name), ...Object.keys(host.agents)],
    hostServers: servers.statuses,
    stamp: outbox.stamp(),
  })
  outbox.write(frame)
}

/** What the model is to hear at the start. */
async function startOfSession({ hooks, options, openChat, signal }: TurnScene): Promise<string[]> {
  const source = options.earlier === undefined ? 'startup' : 'resume'
  const { context } = await hooks.run('SessionStart', {
    about: source,
    input: { source, ...(openChat.modelId !== undefined && { model: openChat.modelId }) },
    signal,
  })
  return context
}

function withContext(content: string | ContentBlock[], context: string[]): string | ContentBlock[] {
  if (context.length === 0) return content
  const said = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return [...said, ...context.map(text => ({ type: 'text', text }))]
}

/** A prompt that is nothing but text. */
function plainText(content: string | ContentBlock[]): string | undefined {
  if (typeof content === 'string') return content
  const texts = content.map(block => (block.type === 'text' ? asText(block['text']) : undefined))
  return texts.some(text => text === undefined) ? undefined : texts.join('\n')
}

function isEmpty(content: string | ContentBlock[]): boolean {
  return content.length === 0 || plainText(content)?.trim() === ''
}

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof Error ? signal.reason.message : 'the turn was interrupted'
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
