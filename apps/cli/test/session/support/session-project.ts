import { resolveDialect, type Dialect } from '@tutti/protocol'
import { checkFrames, problemText, splitLines } from '@tutti-internal/frame-check'
import { startMockModel, type MockModel, type MockModelOptions } from '@tutti-internal/mock-model'
import { main } from '../../../src/main.ts'
import { createSandboxProject, type SandboxProject } from '../../support/sandbox-project.ts'
import type { TestIo, TestIoOptions } from '../../support/test-io.ts'
import { typedInput, type TypedInput } from './typed-input.ts'

/** A project whose sessions talk to a model of the test. */
export interface SessionProject extends SandboxProject {
  model: MockModel
  env: Record<string, string>
  /** One prompt to its end. */
  ask(argv: string[], options?: Partial<TestIoOptions>): Promise<Asked>
  /** A session that speaks the protocol; ends with its input. */
  talk(argv?: string[], options?: Partial<TestIoOptions>): Talk
}

export interface Asked {
  code: number
  out: string
  err: string
}

export interface Talk {
  io: TestIo
  input: TypedInput
  /** Frames so far. */
  frames(): Frame[]
  /** Waits for a frame of that type and, for `system`, subtype. */
  seen(type: string, subtype?: string): Promise<Frame>
  code: Promise<number>
}

export type Frame = Record<string, unknown> & { type: string; subtype?: string }

export const STREAM: string[] = ['--input-format', 'stream-json', '--output-format', 'stream-json']

export async function createSessionProject(
  replies: MockModelOptions['replies'],
  files: Record<string, string> = {},
): Promise<SessionProject> {
  const project = await createSandboxProject(files)
  const model = await startMockModel({ replies })
  const env = { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: model.url }
  const io = (options: Partial<TestIoOptions>): TestIo =>
    project.io({ ...options, env: { ...env, ...options.env } })
  return {
    ...project,
    model,
    env,
    async ask(argv, options = {}) {
      const used = io(options)
      const code = await main(argv, used)
      if (argv.join(' ').includes('stream-json')) requireRules(used, argv, code)
      return { code, out: used.stdout.text(), err: used.stderr.text() }
    },
    talk(argv = STREAM, options = {}) {
      const input = typedInput()
      const used = io({ stdin: input, ...options })
      const frames = (): Frame[] => framesIn(used.stdout.text())
      const code = main(argv, used).then(exit => {
        requireRules(used, argv, exit)
        return exit
      })
      let ended = false
      const end = (): void => void (ended = true)
      code.then(end, end)
      return {
        io: used,
        input,
        frames,
        code,
        async seen(type, subtype) {
          for (;;) {
            const found = frames().find(
              frame => frame.type === type && (subtype ?? frame.subtype) === frame.subtype,
            )
            if (found !== undefined) return found
            if (ended) throw new Error(`no ${type} came: ${used.stdout.text()}${used.stderr.text()}`)
            await new Promise(resolve => setImmediate(resolve))
          }
        },
      }
    },
    async remove() {
      await model.close()
      await project.remove()
    },
  }
}

/** Throws unless the frames keep the rules of the wire; those of a session that was killed may end anywhere. */
function requireRules({ stdout, env }: TestIo, argv: string[], code: number): void {
  const setting = /--dialect[ =](codebuddy|claude-code)/.exec(argv.join(' '))?.[1] as Dialect | undefined
  const dialect = resolveDialect(setting, env)
  const problems = checkFrames(splitLines(stdout.text()), { dialect, heldResults: true, cut: code !== 0 })
  if (problems.length > 0) throw new Error(problemText(problems))
}

export function framesIn(text: string): Frame[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Frame)
}
