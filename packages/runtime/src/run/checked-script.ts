import type { WorkflowMeta } from '@tutti/protocol'
import { checkScript } from '../check/check-script.ts'
import { scriptInvalid } from '../check/script-invalid.ts'
import { DEFAULT_AGENT_TYPE } from './call-factory.ts'
import type { RuntimePorts } from './run-context.ts'
import type { ScriptInput } from './types.ts'

/** Throws WorkflowInputError with all findings for a script that must not run. */
export function checked(script: ScriptInput): { meta: WorkflowMeta; hash: string; warnings: string[] } {
  const check = checkScript(script.source)
  if (!check.ok) throw scriptInvalid(check.findings, script.path ?? 'workflow.js')
  const warnings = check.warnings.map(
    ({ line, column, message }) => `workflow.js:${line}:${column} ${message}`,
  )
  return { meta: check.meta, hash: check.hash, warnings }
}

/** The backend that calls which name none run on. */
export async function defaultBackendName(ports: RuntimePorts, backend: string | undefined): Promise<string> {
  const agentType = await ports.agentTypes.find(DEFAULT_AGENT_TYPE)
  if (agentType === undefined) return backend ?? ''
  return ports.executor.backendOf({ ...(backend !== undefined && { backend }), agentType })
}
