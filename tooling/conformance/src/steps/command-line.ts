import type { RunStep, Step } from '../case/types.ts'

const DEFAULT_CONCURRENCY = 16
const CONCURRENCY_VARIABLES = ['TUTTI_MAX_CONCURRENT_AGENTS', 'CLAUDE_CODE_WORKFLOW_MAX_CONCURRENT_AGENTS']

/** The arguments of `tutti` for a launch or a resume. */
export function commandLine(given: {
  step: Step
  table: string
  runId: string | undefined
  env: Record<string, string>
}): string[] {
  const { step, table, runId, env } = given
  const asked = step.launch ?? step.resume ?? {}
  return [
    ...(step.launch ? ['run', 'main.js'] : ['resume', ...(runId === undefined ? [] : [runId])]),
    '--backend',
    `scripted:${table}`,
    step.expect.wireOrder ? '--stream-json' : '--json',
    ...(step.expect.wireOrder ? ['--dialect', 'codebuddy'] : []),
    ...(asked.args === undefined ? [] : ['--args', JSON.stringify(asked.args)]),
    ...limits(asked, { launched: step.launch !== undefined, env }),
  ]
}

/** A launch gets 16 agents at once unless the case says otherwise; a resume keeps what its run had. */
function limits(asked: RunStep, given: { launched: boolean; env: Record<string, string> }): string[] {
  const { agents, concurrency, scriptCpuMs, scriptMemoryMiB } = asked.limits ?? {}
  const free = given.launched && !CONCURRENCY_VARIABLES.some(name => name in given.env)
  const flags: Record<string, number | undefined> = {
    '--concurrency': concurrency ?? (free ? DEFAULT_CONCURRENCY : undefined),
    '--max-agents': agents,
    '--script-cpu-ms': scriptCpuMs,
    '--script-memory-mib': scriptMemoryMiB,
  }
  return Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]))
}
