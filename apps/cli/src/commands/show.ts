import { readFile } from 'node:fs/promises'
import type { RunOutput } from '@tutti/protocol'
import { JournalError, RunNotFoundError, type StoredRun } from '@tutti/runtime'
import type { FileStore, ForeignRun } from '@tutti/storage'
import type { ShowFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { keptTrees } from '../render/kept-trees.ts'
import { resultLine, resultText } from '../render/result-text.ts'
import { recordText } from '../render/record-text.ts'
import { costReport } from '../render/run-cost.ts'
import { simulatedText } from '../render/simulated-text.ts'
import { safeBlock } from '../render/text-width.ts'
import { lastRunId } from '../setup/last-run.ts'
import { openProject } from '../setup/project.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

export interface ShowInvocation {
  runId?: string
  options: ShowFlags
}

/** Shows one run, or one part of it. */
export async function showCommand(
  { runId, options: flags }: ShowInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const project = await openProject(io, {
    onWarning: message => io.stderr.write(`warning ${message}\n`),
  })
  const { store } = project
  const id = runId ?? (await lastRunId(project))
  const foreign = runId === undefined ? undefined : await foreignRun(store, id)
  if (foreign !== undefined) {
    return (await import('./show-foreign.ts')).showForeign(foreign, flags, { io, terminal })
  }
  // Before the record is read: its last state is written before the owner is gone.
  const owner = await store.owner(id)
  const run = await store.load(id)
  const onTerminal = (text: string): string => (io.stdout.isTTY === true ? safeBlock(text) : text)

  if (flags.result === true) return showResult(run, flags, io)
  if (flags.journal === true) {
    await writeOut(io.stdout, onTerminal(await readFile(run.locations.journal, 'utf8')))
  } else if (flags.script === true) {
    if (run.script === undefined) throw new RunNotFoundError(`${run.locations.script} is missing`)
    await writeOut(io.stdout, onTerminal(run.script))
  } else if (flags.json === true) {
    const { record, locations } = run
    const report = { ...record, cost: costReport(record), worktrees: keptTrees(record), locations }
    await writeOut(io.stdout, `${JSON.stringify(report)}\n`)
  } else {
    const live = run.record.status === 'running' || run.record.status === 'pending'
    const interrupted = live && (owner ?? (await store.owner(id)))?.alive !== true
    const resumeCommand = terminal.typed(`tutti resume ${id}`)
    await writeOut(io.stdout, recordText({ ...run, interrupted, resumeCommand }, terminal.outColors))
  }
  return EXIT.completed
}

/** A run of another product; runs of ours come first. */
async function foreignRun(store: FileStore, runId: string): Promise<ForeignRun | undefined> {
  try {
    await store.locate(runId)
    return undefined
  } catch (error) {
    if (!(error instanceof RunNotFoundError)) throw error
    return store.loadForeign(runId)
  }
}

async function showResult(run: StoredRun, flags: ShowFlags, io: Io): Promise<number> {
  const { record, locations } = run
  const text = await readFile(locations.output, 'utf8').catch(() => undefined)
  if (text === undefined) {
    const reason =
      record.status === 'completed'
        ? `${locations.output} is missing, though the run has completed`
        : `it is ${record.status === 'killed' ? 'stopped' : record.status}`
    const hint = record.status === 'completed' ? 'To restore it' : 'To go on with it'
    throw new RunNotFoundError(
      `run ${record.runId} has no result${record.status === 'completed' ? '' : ' yet'}: ${reason}`,
      { hint: `${hint}: tutti resume ${record.runId}` },
    )
  }
  const output = parseOutput(text, run)
  const value = output.status === 'completed' ? output.result : output.partialResult
  const isTty = io.stdout.isTTY === true
  const simulated = simulatedText(record)
  if (simulated !== undefined) io.stderr.write(`simulated: ${simulated}\n`)
  await writeOut(io.stdout, flags.json === true ? resultLine(value) : resultText(value, isTty))
  return EXIT.completed
}

function parseOutput(text: string, { record, locations }: StoredRun): RunOutput {
  try {
    const output: unknown = JSON.parse(text)
    if (typeof output === 'object' && output !== null) return output as RunOutput
  } catch {
    // Told below.
  }
  throw new JournalError(
    'journal-unreadable',
    `the result of run ${record.runId} is damaged: ${locations.output}`,
    {
      hint: `To write it anew from the journal: tutti resume ${record.runId}`,
    },
  )
}
