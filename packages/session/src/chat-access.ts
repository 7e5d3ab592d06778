import type { Chat, ChatConfig } from '@tutti/agents/chat'

/** The one chat of a session, opened when it is first needed. */
export interface ChatAccess {
  /** Rejects when it cannot be opened; the next call tries again. */
  open(): Promise<Chat>
  /** Undefined until it is open. */
  readonly opened: Chat | undefined
  /** What holds now, or will hold from the opening on. */
  readonly config: Readonly<ChatConfig>
  /** Throws, and changes nothing, when the chat cannot be so. */
  change(change: Partial<ChatConfig>): void
}

export interface ChatAccessOptions {
  initial: ChatConfig
  open(config: ChatConfig): Promise<Chat>
}

export function createChatAccess(options: ChatAccessOptions): ChatAccess {
  let config = options.initial
  let opened: Chat | undefined
  let opening: Promise<Chat> | undefined

  const open = async (): Promise<Chat> => {
    const first = config
    const chat = await options.open(first)
    if (config !== first) chat.configure(config)
    opened = chat
    return chat
  }

  return {
    open() {
      opening ??= open().catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    get opened() {
      return opened
    },
    get config() {
      return opened?.config ?? config
    },
    change(change) {
      opened?.configure(change)
      config = { ...config, ...change }
    },
  }
}
