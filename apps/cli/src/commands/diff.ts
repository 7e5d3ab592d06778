import type { JsonFlags } from '../command-line/invocation.ts'
import { compareRuns } from '../compare/compare-runs.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { comparisonText } from '../render/comparison-text.ts'
import { openProject } from '../setup/project.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

export interface DiffInvocation {
  runIds: [string, string]
  options: JsonFlags
}

/** Compares two runs. */
export async function diffCommand(
  { runIds, options: flags }: DiffInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const { store } = await openProject(io, {
    onWarning: message => io.stderr.write(`warning ${message}\n`),
  })
  const comparison = await compareRuns(store, runIds)
  await writeOut(
    io.stdout,
    flags.json === true
      ? `${JSON.stringify(comparison)}\n`
      : await comparisonText(comparison, terminal.outColors),
  )
  return EXIT.completed
}
