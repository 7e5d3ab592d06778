import { systemClock, type RunSummary } from '@tutti/runtime'
import { openWorkflows, type SavedWorkflow } from '@tutti/storage'
import type { ListFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { listedForeignRun, listedRun, runTable } from '../render/run-table.ts'
import { costReport } from '../render/run-cost.ts'
import { tableLines } from '../render/table.ts'
import { safeLine } from '../render/text-width.ts'
import { parentRunsHint } from '../setup/parent-runs.ts'
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
  const width = io.stdout.isTTY === true ? io.stdout.columns || 80 : 160
  if (flags.workflows === true) {
    const workflows = await openWorkflows(project).list()
    const text = flags.json === true ? `${JSON.stringify(workflows)}\n` : workflowLines(workflows, width)
    await writeOut(io.stdout, text)
    return EXIT.completed
  }
  const { store } = project
  const runs = [
    ...(await store.list()).map(run => ({ listed: listedRun(run), json: toJson(run) })),
    ...(await store.listForeign()).map(run => ({ listed: listedForeignRun(run), json: run as object })),
  ]
  runs.sort((a, b) => b.listed.latest - a.listed.latest)
  const unreadable = await store.unreadable()
  const shown = flags.all === true || flags.json === true ? runs : runs.slice(0, SHOWN)
  if (flags.json === true) {
    await writeOut(io.stdout, `${JSON.stringify(shown.map(({ json }) => json))}\n`)
  } else if (runs.length + unreadable.length === 0) {
    const hint = await parentRunsHint(project)
    await writeOut(
      io.stdout,
      hint === undefined ? 'This project has no runs yet.\n' : `This folder has no runs.\n${hint}\n`,
    )
  } else if (runs.length > 0) {
    const now = (io.clock ?? systemClock()).now()
    const lines = runTable(
      shown.map(({ listed }) => listed),
      { width, now },
    )
    await writeOut(io.stdout, `${lines.join('\n')}\n`)
  }
  for (const { runId, reason } of unreadable) {
    io.stderr.write(`warning ${safeLine(`run ${runId} is not shown: ${reason}`)}\n`)
  }
  if (shown.length < runs.length) {
    io.stderr.write(
      terminal.colors.dim(`${older(runs.length - shown.length)} not shown; see all of them with --all\n`),
    )
  }
  return EXIT.completed
}

function older(runs: number): string {
  return runs === 1 ? '1 older run is' : `${runs} older runs are`
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
    cost: costReport(record),
    locations,
  }
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
  const columns = [{ title: 'NAME', least: 16 }, { title: 'SOURCE' }, { title: 'DESCRIPTION', least: 20 }]
  return `${tableLines(columns, rows, width).join('\n')}\n`
}
