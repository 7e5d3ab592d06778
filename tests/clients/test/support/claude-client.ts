import * as sdk177 from 'claude-agent-sdk-177'
import * as sdk220 from 'claude-agent-sdk-220'
import * as sdk332 from 'claude-agent-sdk-332'
import type { Options, Query, SDKMessage, SDKUserMessage } from 'claude-agent-sdk-332'
import type { CheckOptions } from '@tutti-internal/frame-check'
import type { Frame } from './frames.ts'
import { InputQueue } from './input-queue.ts'
import type { Surroundings } from './surroundings.ts'

export type ClaudeSdk = Pick<typeof sdk332, 'query' | 'tool' | 'createSdkMcpServer'>

/** The same calls in each version; their types differ in what these tests do not use. */
export const CLAUDE_SDKS: { version: string; sdk: ClaudeSdk }[] = [
  { version: '0.3.332', sdk: sdk332 },
  { version: '0.3.220', sdk: sdk220 as unknown as ClaudeSdk },
  { version: '0.3.177', sdk: sdk177 as unknown as ClaudeSdk },
]

/** The SDK starts the command in this dialect. */
export const CLAUDE_RULES: CheckOptions = { dialect: 'claude-code' }

/** The input ends at the first result, and results wait for the workflows that still run then. */
export const CLOSED_RULES: CheckOptions = { ...CLAUDE_RULES, heldResults: true }

/** Every permission is given unless the options say otherwise. */
export function claudeOptions({ project, program, env }: Surroundings, more: Options = {}): Options {
  return {
    cwd: project.path,
    env,
    pathToClaudeCodeExecutable: program.path,
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
    ...more,
  }
}

/** Everything up to the end of the stream, which is the end of the process. */
export async function all(query: Query): Promise<Frame[]> {
  const messages: Frame[] = []
  for await (const message of query) messages.push(asFrame(message))
  return messages
}

/** A query whose messages a test gives one by one. */
export class Talk implements AsyncDisposable {
  readonly query: Query
  /** What has come so far. */
  readonly seen: Frame[] = []
  readonly #input = new InputQueue<SDKUserMessage>()

  constructor(sdk: ClaudeSdk, options: Options) {
    this.query = sdk.query({ prompt: this.#input, options })
  }

  say(text: string): void {
    this.#input.push({
      type: 'user',
      message: { role: 'user', content: text },
      parent_tool_use_id: null,
    })
  }

  /** Reads on up to the first message that fits, and gives it. Throws when the stream ends before. */
  async until(what: string, fits: (message: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const message = await this.#next(what)
      if (fits(message)) return message
    }
  }

  /** Reads on until it holds of what was seen; not at all when it does already. */
  async untilSeen(what: string, holds: (seen: Frame[]) => boolean): Promise<void> {
    while (!holds(this.seen)) await this.#next(what)
  }

  /** Ends the input and reads the rest. */
  async end(): Promise<Frame[]> {
    this.#input.end()
    this.seen.push(...(await all(this.query)))
    return this.seen
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#input.end()
    this.query.close()
  }

  async #next(what: string): Promise<Frame> {
    const { value, done } = await this.query.next()
    if (done) throw new Error(`the stream ended before ${what}`)
    const message = asFrame(value)
    this.seen.push(message)
    return message
  }
}

function asFrame(message: SDKMessage): Frame {
  return message
}
