import { readFile } from 'node:fs/promises'
import { RunNotFoundError } from '@tutti/runtime'
import type { ForeignRun } from '@tutti/storage'
import type { ShowFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { foreignText } from '../render/foreign-text.ts'
import { resultLine, resultText } from '../render/result-text.ts'
import { safeBlock } from '../render/text-width.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

/** Shows a run of another product, or one part of it. */
export async function showForeign(
  run: ForeignRun,
  flags: ShowFlags,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const isTty = io.stdout.isTTY === true
  const onTerminal = (text: string): string => (isTty ? safeBlock(text) : text)
  if (flags.result === true) {
    if (run.result === undefined) throw missing(run, 'result')
    await writeOut(io.stdout, flags.json === true ? resultLine(run.result) : resultText(run.result, isTty))
  } else if (flags.journal === true) {
    const { journal } = run.locations
    if (journal === undefined) throw missing(run, 'journal')
    await writeOut(io.stdout, onTerminal(await readFile(journal, 'utf8')))
  } else if (flags.script === true) {
    if (run.script === undefined) throw missing(run, 'script')
    await writeOut(io.stdout, onTerminal(run.script))
  } else {
    const text = flags.json === true ? `${JSON.stringify(run)}\n` : foreignText(run, terminal.outColors)
    await writeOut(io.stdout, text)
  }
  return EXIT.completed
}

function missing({ runId, locations }: ForeignRun, what: string): RunNotFoundError {
  return new RunNotFoundError(`run ${runId} has no ${what} (${locations.folder})`)
}
