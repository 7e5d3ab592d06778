import { updatedPermissions } from '@tutti/agents'
import type { Chat } from '@tutti/agents/chat'
import type { JsonValue } from '@tutti/protocol'
import { createChatAccess, type ChatAccess } from './chat-access.ts'
import { extraTools, firstChatConfig } from './chat-config.ts'
import { createDeskAccess } from './desk-access.ts'
import { createAskPermission } from './host/ask-permission.ts'
import { createHooks } from './host/hooks.ts'
import { createHostCalls } from './host/host-calls.ts'
import { createHostState, type HostState } from './host/host-state.ts'
import { createHostMcpServers } from './host/mcp-servers.ts'
import { createPermissionChannel } from './host/permission-channel.ts'
import { createNotes } from './output/notes.ts'
import { createOutbox } from './output/outbox.ts'
import { createScrubber } from './output/secrets.ts'
import { useServers } from './use-servers.ts'
import { permissionModeOf } from './permission-mode.ts'
import type { SessionIo, SessionOptions } from './session-options.ts'
import type { SessionParts } from './session-parts.ts'
import { createChatFrames } from './turn/chat-frames.ts'
import { createSpending } from './turn/spending.ts'
import type { DeskHost, EndedWorkflow } from './workflow/types.ts'

/** Makes what the parts of a session share. `onEnded` hears how workflows end. */
export function makeParts(
  io: SessionIo,
  options: SessionOptions,
  onEnded: (workflow: EndedWorkflow) => void,
): SessionParts {
  const { clock, random, config, sessionId, env } = options
  const scrub = createScrubber(env, config.settings)
  const note = createNotes({ scrub, write: line => io.note(line), verbose: options.verbose })
  const outbox = createOutbox({ sink: io.output, sessionId, random, scrub, note })
  const calls = createHostCalls({ outbox, clock, present: io.input !== undefined })
  const host = createHostState()
  const mode = firstMode(config.permissionMode, note)
  const chat = createChatAccess({
    initial: firstChatConfig(config, mode),
    open: async initial => {
      const opened = withHistory(await options.openChat(initial, host), options)
      if (Object.keys(host.mcpServers).length > 0) useServers(opened, host.mcpServers, note)
      return opened
    },
  })
  const servers = createHostMcpServers({
    calls,
    note,
    onTools() {
      chat.change({ extraTools: extraTools(desk.opened?.tools ?? [], servers.tools) })
    },
  })
  const hooks = createHooks({
    calls,
    outbox,
    note,
    random,
    showEvents: config.includeHookEvents,
    common: () => ({
      session_id: sessionId,
      transcript_path: options.transcriptPath ?? '',
      cwd: options.cwd,
      permission_mode: chat.config.permissions.defaultMode ?? mode,
    }),
  })
  const ask = createAskPermission({
    channel: createPermissionChannel({
      calls,
      random,
      ...(config.permissionPromptTool !== undefined && { promptTool: config.permissionPromptTool }),
      hostAnswers: () => !config.print && isSecondFamily(host, env),
      tools: () => servers.tools,
    }),
    hooks,
    random,
    scrub,
    onUpdates: updates => applyUpdates(chat, updates),
  })
  const desk = createDeskAccess(() => options.openDesk(deskHost, host))
  const deskHost: DeskHost = {
    sessionId,
    write: (frame, sent) => outbox.write(frame, sent),
    ended: onEnded,
    permissionMode: () => chat.config.permissions.defaultMode ?? mode,
    permissionRules: () => chat.config.permissions,
    // Looked up for each launch: the host may come to be one that answers, or leave.
    get mayLaunch() {
      return ask.possible ? ask.launch : undefined
    },
    agentPermission: ask.agent,
  }
  const frames = createChatFrames({
    outbox,
    random,
    scrub,
    partial: config.includePartialMessages,
    ...(options.log !== undefined && { log: options.log }),
  })
  const spending = createSpending()
  return {
    options,
    clock,
    random,
    scrub,
    note,
    outbox,
    calls,
    host,
    hooks,
    servers,
    ask,
    chat,
    desk,
    frames,
    spending,
  }
}

/** The client family that ends at its first `result`, and answers questions without being told to. */
export function isSecondFamily(host: HostState, env: SessionOptions['env']): boolean {
  return host.hasPrompt !== undefined || Boolean(env['CODEBUDDY_CODE_ENTRYPOINT'])
}

function firstMode(word: string, note: (text: string) => void): string {
  try {
    return permissionModeOf(word)
  } catch (error) {
    note(`${(error as Error).message}; default is used`)
    return 'default'
  }
}

function withHistory(chat: Chat, { earlier }: SessionOptions): Chat {
  if (earlier !== undefined && chat.messages.length === 0) chat.append(...earlier.messages)
  return chat
}

function applyUpdates(chat: ChatAccess, updates: readonly JsonValue[]): void {
  if (updates.length === 0) return
  chat.change({ permissions: updatedPermissions(chat.config.permissions, updates) })
}
