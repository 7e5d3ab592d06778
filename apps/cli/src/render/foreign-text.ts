import type { ForeignAgent, ForeignRun } from '@tutti/storage'
import type { Colors } from './colors.ts'
import { formatDuration, formatTokens } from './numbers.ts'
import { foreignStatus, shownTime } from './run-status.ts'
import { fitText, safeBlock, safeLine } from './text-width.ts'

const ARGS_WIDTH = 200
const MOST_LOGS = 10

/** What is known of a run of another product. */
export function foreignText(run: ForeignRun, colors: Colors): string {
  const lines = [`${colors.bold(safeLine(run.workflowName))}  ${foreignStatus(run)}`]
  const field = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') lines.push(`  ${colors.dim(name.padEnd(13))} ${value}`)
  }
  const { description, startedAt, durationMs, model, args, tokens, error, locations } = run
  field('description', description === undefined ? undefined : safeLine(description))
  field('run', run.runId)
  field('started', startedAt === undefined ? undefined : shownTime(startedAt))
  field('took', durationMs === undefined ? undefined : formatDuration(durationMs))
  field('model', model === undefined ? undefined : safeLine(model))
  field('args', args === undefined ? undefined : fitText(safeLine(JSON.stringify(args)), ARGS_WIDTH))
  field('agents', String(run.agents))
  field('tokens', tokens === undefined ? undefined : formatTokens(tokens))
  for (const agent of run.rows) lines.push(agentLine(agent, colors))
  field('error', error === undefined ? undefined : safeBlock(error).replaceAll('\n', '\n    '))
  for (const line of run.logs.slice(-MOST_LOGS)) field('log', safeLine(line))
  field('folder', locations.folder)
  field('record', locations.record)
  field('script', locations.script)
  field('reuse', `tutti run <script.js> --reuse ${run.runId}`)
  return `${lines.join('\n')}\n`
}

function agentLine({ state, label, phase, tokens, durationMs, error }: ForeignAgent, colors: Colors): string {
  const where = phase === undefined ? '' : `${safeLine(phase)} › `
  const spent = [
    tokens === undefined ? '' : `${formatTokens(tokens)} tokens`,
    durationMs === undefined ? '' : formatDuration(durationMs),
    error === undefined ? '' : safeLine(error),
  ].filter(text => text !== '')
  const tail = spent.length === 0 ? '' : colors.dim(`  ${spent.join(', ')}`)
  const shown = state === 'error' ? colors.red(state) : safeLine(state)
  return `    ${shown}  ${where}${safeLine(label)}${tail}`
}
