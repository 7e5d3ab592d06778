import type { AskPermission, Clock } from '@tutti/runtime'
import type { Io } from '../io.ts'
import type { Colors } from '../render/colors.ts'
import { permissionLines, permissionPrompt } from '../render/permission-text.ts'
import { safeLine } from '../render/text-width.ts'
import { createPermissionDesk, type AskedPerson, type PersonAnswer } from '../setup/permission-desk.ts'

export interface AskAtTerminalOptions {
  io: Io
  clock: Clock
  colors: Colors
  /** The terminal is the question's until the function it gives is called. */
  hold(): () => void
  note(text: string): void
}

/** Asks the person at the terminal about tools that agents want to use; undefined when nobody is there. */
export function askAtTerminal({
  io,
  clock,
  colors,
  hold,
  note,
}: AskAtTerminalOptions): AskPermission | undefined {
  const question = io.question?.bind(io)
  if (question === undefined) return undefined
  const say = (line: string): void => void io.stderr.write(`${line}\n`)
  const width = (): number => io.stderr.columns || 80

  async function ask(asked: AskedPerson): Promise<PersonAnswer> {
    const release = hold()
    try {
      for (const line of permissionLines(asked.question, asked.asker, { colors, width: width() })) say(line)
      for (;;) {
        const text = await question?.(() => promptOf(asked, width()), { signal: asked.signal })
        if (text === undefined) return 'none'
        const answer = readAnswer(text)
        if (answer !== undefined) return answer
        say(colors.dim('    Type y, n or a; Enter alone means no.'))
      }
    } finally {
      release()
    }
  }

  return createPermissionDesk({
    clock,
    ask,
    onUnanswered: ({ asker, question: { tool } }, reason) =>
      note(colors.yellow(`not allowed: ${safeLine(tool)} for ${safeLine(asker.label)}: ${safeLine(reason)}`)),
  })
}

function promptOf({ always, leftMs, waiting }: AskedPerson, width: number): string {
  return permissionPrompt({ always: safeLine(always), leftMs: leftMs(), waiting: waiting(), width })
}

/** Undefined for what is none of the answers. */
function readAnswer(text: string): PersonAnswer | undefined {
  const word = text.trim().toLowerCase()
  if (word === '' || 'no'.startsWith(word)) return 'no'
  if ('yes'.startsWith(word)) return 'yes'
  return 'always'.startsWith(word) ? 'always' : undefined
}
