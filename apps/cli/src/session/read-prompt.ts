import type { Clock } from '@tutti/runtime'
import type { InputStream } from '../io.ts'
import { UsageError } from '../usage-error.ts'

export interface PromptSources {
  /** The words of the command line. */
  words?: string
  /** Absent: there is none. */
  stdin?: InputStream
  clock: Clock
  note(text: string): void
}

/** Some programs leave the standard input of what they start open and never write to it. */
const STDIN_WAIT_MS = 3000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * The prompt of a session that gets just one: the words, with the standard input behind them when it is no terminal,
 * or that alone. Throws UsageError when there is none.
 */
export async function readPrompt({ words, stdin, clock, note }: PromptSources): Promise<string> {
  const piped = stdin === undefined || stdin.isTTY === true ? undefined : stdin
  const text = piped === undefined ? undefined : await read(piped, words === undefined ? undefined : clock)
  if (words !== undefined && piped !== undefined && text === undefined) {
    note('nothing came on standard input within 3 s; going on with the prompt alone')
  }
  const prompt = [words, text?.trimEnd()]
    .filter(part => part !== undefined && part.trim() !== '')
    .join('\n\n')
  if (prompt !== '') return prompt
  throw new UsageError(
    'there is no prompt',
    'Give it behind -p or on standard input: tutti -p "…"; or speak the protocol with --input-format stream-json.',
  )
}

/** All of it. With a clock undefined when it does not begin in time. */
async function read(stdin: InputStream, clock: Clock | undefined): Promise<string | undefined> {
  const chunks = stdin[Symbol.asyncIterator]()
  const first = chunks.next()
  const begun = clock === undefined ? await first : await Promise.race([first, patience(clock)])
  if (begun === undefined) {
    // What it may still bring is not waited for.
    first.catch(() => {})
    return undefined
  }
  const parts: Buffer[] = []
  let bytes = 0
  for (let next = begun; next.done !== true; next = await chunks.next()) {
    const part = Buffer.from(next.value)
    bytes += part.length
    if (bytes > MAX_BYTES)
      throw new UsageError('standard input has more than 64 MiB, which is too much for a prompt')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function patience(clock: Clock): Promise<undefined> {
  return new Promise(resolve => clock.timer(STDIN_WAIT_MS, () => resolve(undefined)))
}
