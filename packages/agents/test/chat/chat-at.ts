import { readFile } from 'node:fs/promises'
import { startMockModel, type MockModel, type MockModelOptions } from '@tutti-internal/mock-model'
import { createChat, configuredEndpoint, type ChatOptions } from '../../src/chat/index.ts'
import type { Chat, ChatConfig, ChatEvent, TurnEnd, TurnStage } from '../../src/chat/types.ts'
import type { Wire } from '../../src/model/endpoint.ts'
import { environmentAt } from '../model/backend-at.ts'
import { projectWith, type Project } from '../tools/project.ts'

/** A chat with a model that answers from a list, in a project of its own. */
export interface Scene extends AsyncDisposable {
  chat: Chat
  server: MockModel
  project: Project
  /** Says something and takes the answer. */
  say(text: string, more?: Partial<TurnStage>): Promise<Told>
}

export interface Told {
  end: TurnEnd
  events: ChatEvent[]
}

export interface SceneOptions {
  wire?: Wire
  replies: MockModelOptions['replies']
  files?: Record<string, string>
  config?: Partial<ChatConfig>
  options?: Partial<Omit<ChatOptions, 'workspace'>>
  workspace?: Partial<ChatOptions['workspace']>
}

/** Refused requests are not sent again unless a test says so. */
export async function chatWith(given: SceneOptions): Promise<Scene> {
  const { wire = 'anthropic', replies, files = {}, config = {}, options = {}, workspace = {} } = given
  const server = await startMockModel({ replies })
  const project = await projectWith(files)
  const chat = createChat({
    endpoint: configuredEndpoint(environmentAt(wire, server.url)),
    workspace: {
      projectRoot: project.root,
      env: { PATH: process.env.PATH, HOME: project.root },
      ...workspace,
    },
    config: { permissions: {}, extraTools: [], ...config },
    retries: 0,
    ...options,
  })
  return {
    chat,
    server,
    project,
    say: (text, more) => sayIn(chat, text, more),
    async [Symbol.asyncDispose]() {
      await chat.close()
      await server.close()
      await project[Symbol.asyncDispose]()
    },
  }
}

export async function sayIn(chat: Chat, text: string, more: Partial<TurnStage> = {}): Promise<Told> {
  const events: ChatEvent[] = []
  const stage: TurnStage = {
    signal: new AbortController().signal,
    emit: event => void events.push(event),
    ...more,
  }
  return { end: await chat.turn({ role: 'user', content: text }, stage), events }
}

/** Waits until a process is gone; one that only waits for its parent to look counts as gone. */
export async function gone(pid: number): Promise<void> {
  for (;;) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    if (state === '' || state.split(') ')[1]?.startsWith('Z')) return
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** What the model was told of the uses of tools, all of it text. */
export function resultTexts(events: ChatEvent[]): string[] {
  return eventsOf(events, 'tool_result').map(({ result: { content } }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  )
}

export function eventsOf<Type extends ChatEvent['type']>(
  events: ChatEvent[],
  type: Type,
): Extract<ChatEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<ChatEvent, { type: Type }> => event.type === type)
}
