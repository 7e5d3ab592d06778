import { systemClock } from '@tutti/runtime'
import type { PruneReport } from '@tutti/storage'
import type { PruneFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { count, formatBytes } from '../render/numbers.ts'
import { shownTime } from '../render/run-status.ts'
import { tableLines } from '../render/table.ts'
import { safeLine } from '../render/text-width.ts'
import { openProject } from '../setup/project.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

/** Removes runs that ended long ago and sessions as old, or tells which would go. */
export async function pruneCommand(
  flags: PruneFlags,
  { io }: { io: Io; terminal: Terminal },
): Promise<number> {
  const { store } = await openProject(io, {
    clock: io.clock ?? systemClock(),
    onWarning: message => io.stderr.write(`warning ${message}\n`),
  })
  const report = await store.prune({ olderThanMs: flags.olderThan, dryRun: flags.dryRun === true })
  const width = io.stdout.isTTY === true ? io.stdout.columns || 80 : 160
  await writeOut(io.stdout, flags.json === true ? `${JSON.stringify(report)}\n` : reportText(report, width))
  return report.kept.length === 0 ? EXIT.completed : EXIT.failed
}

const SESSION_COLUMNS = [
  { title: 'SESSION' },
  { title: 'LAST WRITTEN' },
  { title: 'SIZE', align: 'right' as const },
]

function reportText({ dryRun, runs, sessions, bytes, kept }: PruneReport, width: number): string {
  const columns = [
    { title: 'RUN' },
    { title: 'ENDED' },
    { title: 'STATUS' },
    { title: 'SIZE', align: 'right' as const },
    { title: 'WORKFLOW', least: 12 },
  ]
  const rows = runs.map(run => [
    run.runId,
    shownTime(run.endedAt),
    run.status === 'killed' ? 'stopped' : run.status,
    formatBytes(run.bytes),
    safeLine(run.workflowName),
  ])
  const sessionRows = sessions.map(session => [
    session.sessionId,
    shownTime(session.modifiedAt),
    formatBytes(session.bytes),
  ])
  const what = [
    count(runs.length, 'run'),
    ...(sessions.length === 0 ? [] : [count(sessions.length, 'session')]),
  ].join(' and ')
  const verb = dryRun ? 'would be removed' : 'removed'
  const lines = [
    ...(runs.length === 0 ? [] : tableLines(columns, rows, width)),
    ...(sessions.length === 0 ? [] : tableLines(SESSION_COLUMNS, sessionRows, width)),
    `${what} ${verb}, ${formatBytes(bytes)}`,
    ...kept.map(({ runId, why }) => `${runId} stays: ${safeLine(why)}`),
  ]
  return `${lines.join('\n')}\n`
}
