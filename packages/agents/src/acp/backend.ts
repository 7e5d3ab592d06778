import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { PermissionSettings } from '@tutti/protocol'
import { systemClock, type AgentCall, type AgentContext, type AgentOutcome, type Clock } from '@tutti/runtime'
import type { Backend } from '../backend.ts'
import { SpawnError, startAgentProcess } from '../cli/agent-process.ts'
import { agentEnvironment } from '../cli/environment.ts'
import { modelFor } from '../cli/model-for.ts'
import { createExecution, type Stage } from '../execution.ts'
import { systemText, toolsOf } from '../hand-in/prompt.ts'
import { serveTool, type McpCommand } from '../hand-in/serve-tool.ts'
import { createStructuredOutput, OBJECT_NOTE, type Submitted } from '../hand-in/structured-output.ts'
import { transcriptTo } from '../hand-in/transcript.ts'
import { failedBeforeStart } from '../outcome.ts'
import type { ProcessGroups } from '../process-groups.ts'
import { redactorFor } from '../redact.ts'
import { workingDirectory } from '../shell/working-directory.ts'
import { connectAgent } from './connect.ts'
import { createDecision, type Decide } from './permission.ts'
import { permissionAnswer } from './permission-answer.ts'
import { SessionLog } from './session-log.ts'
import { talk } from './talk.ts'

export interface AcpOptions {
  command: string
  args?: string[]
  env: Record<string, string | undefined>
  /** Agents work here or below. */
  projectRoot: string
  /** Where a call names no model. */
  model?: string
  /** Alias → model id. */
  models?: Record<string, string>
  permissions?: PermissionSettings
  /** Told of every process group that runs. */
  groups?: ProcessGroups
  clock?: Clock
}

/**
 * Runs calls with a command that speaks the Agent Client Protocol, one process for each. Throws WorkflowInputError
 * `settings-invalid` for a rule that cannot be read.
 */
export function createAcpBackend(options: AcpOptions): Backend {
  const redact = redactorFor(options.env)
  const decide = createDecision(options.permissions)
  return {
    start: (call, context) =>
      createExecution(context, async stage => {
        try {
          const outcome = await perform({ call, context, stage, options, decide })
          return outcome.status === 'failed' ? { ...outcome, message: redact(outcome.message) } : outcome
        } catch (error) {
          const reason = redact(error instanceof Error ? error.message : String(error))
          if (error instanceof SpawnError) return failedBeforeStart('backend_unavailable', reason)
          return failedBeforeStart('crashed', reason, 'unknown')
        }
      }),
  }
}

interface Work {
  call: AgentCall
  context: AgentContext
  stage: Stage
  options: AcpOptions
  decide: Decide
}

async function perform(work: Work): Promise<AgentOutcome> {
  const { call, context, stage, options } = work
  const place = await workingDirectory(context.projectRoot ?? options.projectRoot, call.cwd)
  if ('refused' in place)
    return failedBeforeStart(place.escapes ? 'permission_denied' : 'invalid_request', place.refused)
  if (stage.signal.aborted) return failedBeforeStart('stopped', 'stopped before it started')
  const folder = await mkdtemp(join(tmpdir(), 'tutti-agent-'))
  try {
    return await withTool(work, place.path, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function withTool(work: Work, cwd: string, folder: string): Promise<AgentOutcome> {
  const { call, context } = work
  let onSubmitted: (submitted: Submitted) => void = () => {}
  const output =
    call.schema && context.submit
      ? createStructuredOutput({
          schema: call.schema,
          submit: context.submit,
          onSubmitted: now => onSubmitted(now),
        })
      : undefined
  await using served = output && (await serveTool(output.tool, folder))
  return await inProcess(work, {
    cwd,
    tool: served?.command,
    submitted: output?.submitted,
    listen: listener => (onSubmitted = listener),
  })
}

interface Place {
  cwd: string
  tool: McpCommand | undefined
  submitted: Submitted | undefined
  /** Calls back at each submission. */
  listen(listener: (submitted: Submitted) => void): void
}

async function inProcess(work: Work, place: Place): Promise<AgentOutcome> {
  const { call, context, stage, options, decide } = work
  const clock = options.clock ?? systemClock()
  const transcript = transcriptTo(context, clock)
  const log = new SessionLog(event => stage.emit(event), transcript)
  const running = await startAgentProcess({
    command: options.command,
    args: options.args ?? [],
    cwd: place.cwd,
    env: agentEnvironment(options.env, place.cwd),
    ...(options.groups && { groups: options.groups }),
    onNoise: () => stage.emit({ type: 'activity' }),
  })
  const { connection, garbage } = connectAgent({
    process: running,
    onUpdate: update => log.take(update),
    onPermission: request =>
      permissionAnswer(request, {
        decide,
        asking: { cwd: place.cwd, tools: toolsOf(call), permission: context.permission },
        note(input, ruling) {
          if (!ruling.allowed) log.denied = `${ruling.tool}: ${ruling.reason}`
          stage.emit({ type: 'permission', ...ruling })
          context.transcript({ type: 'permission', input, ...ruling })
        },
      }),
  })
  try {
    return await talk({
      name: basename(options.command),
      connection,
      garbage,
      running,
      log,
      transcript,
      clock,
      signal: stage.signal,
      cwd: place.cwd,
      prompt: promptOf(call, place.tool !== undefined),
      continueFrom: call.continueFrom,
      emit: event => stage.emit(event),
      model: modelFor(call, { ...options, profile: {} }),
      tool: place.tool,
      submitted: place.submitted,
      listen: place.listen,
    })
  } finally {
    log.close()
    running.end()
    connection.close()
    await running.ended
  }
}

/** The protocol has no system prompt. */
function promptOf(call: AgentCall, hasTool: boolean): string {
  return [systemText(call), call.prompt, hasTool ? OBJECT_NOTE : ''].filter(part => part !== '').join('\n\n')
}
