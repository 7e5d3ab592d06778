import * as sdk from '@tencent-ai/agent-sdk'
import type { Message, Options, SessionOptions } from '@tencent-ai/agent-sdk'
import type { CheckOptions } from '@tutti-internal/frame-check'
import type { Frame } from './frames.ts'
import type { Surroundings } from './surroundings.ts'

export { sdk as tencentSdk }

/** This SDK says nothing that asks for the other dialect. */
export const TENCENT_RULES: CheckOptions = { dialect: 'codebuddy' }

/** A query hears nothing after the first result, so results wait. */
export const QUERY_RULES: CheckOptions = { ...TENCENT_RULES, heldResults: true }

/** This SDK adds to the environment of its host, which may itself be the child of another. */
const CLEARED = { CLAUDE_AGENT_SDK_VERSION: undefined, CLAUDE_CODE_ENTRYPOINT: undefined }

export function tencentOptions({ project, program, env }: Surroundings, more: Options = {}): Options {
  return {
    cwd: project.path,
    env: { ...CLEARED, ...env },
    pathToCodebuddyCode: program.path,
    permissionMode: 'bypassPermissions',
    model: 'mock-model',
    settingSources: ['user', 'project'],
    ...more,
  }
}

/** A session of many turns. */
export class TencentTalk implements AsyncDisposable {
  readonly session: ReturnType<typeof sdk.unstable_v2_createSession>
  readonly seen: Frame[] = []

  constructor(session: TencentTalk['session']) {
    this.session = session
  }

  static open(here: Surroundings, more: Partial<SessionOptions> = {}): TencentTalk {
    return new TencentTalk(sdk.unstable_v2_createSession({ ...sessionOptions(here), ...more }))
  }

  /** What comes up to the result of the turn. */
  async say(text: string): Promise<Frame[]> {
    await this.session.send(text)
    return this.hear()
  }

  /** What comes up to the next result. */
  async hear(): Promise<Frame[]> {
    const turn: Frame[] = []
    for await (const message of this.session.stream()) turn.push(asFrame(message))
    this.seen.push(...turn)
    return turn
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.session.close()
  }
}

export function sessionOptions(here: Surroundings): SessionOptions {
  return tencentOptions(here)
}

export async function heard(messages: AsyncIterable<Message>): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const message of messages) frames.push(asFrame(message))
  return frames
}

function asFrame(message: Message): Frame {
  return message as unknown as Frame
}
