import type { RecordAgentRow, RunRecord } from '@tutti/protocol'

/** The name that the backend gives as its model. */
const SIMULATED_MODEL = 'simulate'
/** Agents of this type are run by the shell, whatever the backend of the run. */
const SHELL_TYPE = 'shell'

/** What is made up in the results of a run; undefined when nothing is. */
export function simulatedText({ simulated, progress }: RunRecord): string | undefined {
  if (simulated !== true) return undefined
  const rows = progress.filter((row): row is RecordAgentRow => row.type === 'workflow_agent')
  const answered = rows.filter(({ state }) => state === 'done' || state === 'cached')
  const real = answered.filter(
    ({ model, agentType }) => agentType === SHELL_TYPE || (model !== undefined && model !== SIMULATED_MODEL),
  )
  if (real.length === 0) return 'no model was asked; all answers were made up'
  if (real.length === answered.length) return 'answers of simulated agents were made up'
  return `${answered.length - real.length} of ${answered.length} answers were made up`
}
