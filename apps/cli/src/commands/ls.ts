import type { RunSummary } from '@tutti/runtime'
import { openWorkflows, type ForeignRunSummary, type SavedWorkflow } from '@tutti/storage'
import type { ListFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { formatTokens } from '../render/numbers.ts'
import { foreignStatus, shownStatus, shownTime } from '../render/run-status.ts'
import { tableLines } from '../render/table.ts'
import { safeLine } from '../render/text-width.ts'
import { openProject } from '../setup/project.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

const SHOWN = 20

/** Lists runs, or saved workflows. */
export async function listCommand(
  flags: ListFlags,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const project = await openProject(io, { onWarning: message => io.stderr.write(`warning ${message}\n`) })
  const width = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : 160
  if (flags.workflows === true) {
    const workflows = await openWorkflows(project).list()
    const text = flags.json === true ? `${JSON.stringify(workflows)}\n` : workflowLines(workflows, width)
    await writeOut(io.stdout, text)
    return EXIT.completed
  }
  const { store } = project
  const runs = [...(await store.list()).map(listed), ...(await store.listForeign()).map(listedForeign)]
  runs.sort((a, b) => b.latest - a.latest)
  const shown = flags.all === true || flags.json === true ? runs : runs.slice(0, SHOWN)
  await writeOut(
    io.stdout,
    flags.json === true ? `${JSON.stringify(shown.map(({ json }) => json))}\n` : runLines(shown, width),
  )
  if (shown.length < runs.length) {
    io.stderr.write(
      terminal.colors.dim(`${runs.length - shown.length} older runs are not shown; see them with --all\n`),
    )
  }
  return EXIT.completed
}

/** A run in the list, whoever wrote it. */
interface ListedRun {
  /** Start of its last attempt. */
  latest: number
  cells: string[]
  json: object
}

function listed(run: RunSummary): ListedRun {
  const { record } = run
  const { usage } = record
  return {
    latest: record.attemptStartedAt,
    cells: [
      record.runId,
      shownTime(record.startedAt),
      shownStatus(run) + (record.simulated === true ? ' (simulated)' : ''),
      String(record.census.total),
      formatTokens(usage.input + usage.output + usage.cacheRead + usage.cacheWrite),
      safeLine(record.workflowName),
    ],
    json: toJson(run),
  }
}

/** Runs of other products are shown, and can be reused; going on with them in place is not possible. */
function listedForeign(run: ForeignRunSummary): ListedRun {
  const { runId, startedAt, agents, tokens, workflowName } = run
  return {
    latest: startedAt ?? 0,
    cells: [
      runId,
      startedAt === undefined ? '' : shownTime(startedAt),
      foreignStatus(run),
      String(agents),
      tokens === undefined ? '' : formatTokens(tokens),
      safeLine(workflowName),
    ],
    json: run,
  }
}

function toJson(run: RunSummary): object {
  const { record, locations } = run
  return {
    runId: record.runId,
    workflowName: record.workflowName,
    status: run.interrupted ? 'interrupted' : record.status,
    degraded: record.degraded,
    simulated: record.simulated === true,
    startedAt: record.startedAt,
    attempt: record.attempt,
    ...(record.endedAt !== undefined && { endedAt: record.endedAt }),
    sessionId: record.sessionId,
    census: record.census,
    usage: record.usage,
    locations,
  }
}

function runLines(runs: ListedRun[], width: number): string {
  if (runs.length === 0) return 'This project has no runs yet.\n'
  const columns = [
    { title: 'RUN' },
    { title: 'STARTED' },
    { title: 'STATUS' },
    { title: 'CALLS', align: 'right' as const },
    { title: 'TOKENS', align: 'right' as const },
    { title: 'WORKFLOW' },
  ]
  const rows = runs.map(({ cells }) => cells)
  return `${tableLines(columns, rows, width).join('\n')}\n`
}

function workflowLines(workflows: SavedWorkflow[], width: number): string {
  if (workflows.length === 0) return 'There are no saved workflows: put scripts into .claude/workflows/.\n'
  const rows = workflows.map(workflow => [
    safeLine(workflow.name),
    workflow.source,
    workflow.error === undefined
      ? safeLine([workflow.description, workflow.whenToUse].filter(text => text !== undefined).join(' — '))
      : `cannot be run: ${safeLine(workflow.error)}`,
  ])
  const columns = [{ title: 'NAME' }, { title: 'SOURCE' }, { title: 'DESCRIPTION' }]
  return `${tableLines(columns, rows, width).join('\n')}\n`
}
