import { realpath } from 'node:fs/promises'
import type { AgentUsage, Cause, JsonValue, PermissionSettings } from '@tutti/protocol'
import {
  systemClock,
  type AgentCall,
  type AgentContext,
  type AgentFailure,
  type AgentOutcome,
  type Clock,
} from '@tutti/runtime'
import type { Backend } from '../backend.ts'
import { createExecution, type Stage } from '../execution.ts'
import { parseJson } from '../json.ts'
import { failedBeforeStart, noUsage } from '../outcome.ts'
import type { ProcessGroups } from '../process-groups.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { withoutSecrets } from './environment.ts'
import { decideCommand, parseCommandRules, ruleForCommand, type CommandRules } from './permission.ts'
import { runCommand, type CommandEnd } from './process-group.ts'
import { workingDirectory } from './working-directory.ts'

export interface ShellOptions {
  /** Commands run here or below. */
  projectRoot: string
  /** Passed to commands without what looks like a secret. */
  env: Record<string, string | undefined>
  permissions?: PermissionSettings
  /** Runs what no rule speaks about. Deny and ask rules keep holding. */
  allowShell?: boolean
  /** Told of every command that runs. */
  groups?: ProcessGroups
  /** Confines commands. */
  sandbox?: Sandbox
  clock?: Clock
}

const TIMEOUT_MS = 10 * 60 * 1000
const TOOL = 'Bash'

/**
 * Runs the prompt of a call as a command. Its value is the output, or the object in the output when the call
 * has a schema. Throws WorkflowInputError `settings-invalid` for a rule that cannot be read.
 */
export function createShellBackend(options: ShellOptions): Backend {
  const rules = parseCommandRules(options.permissions)
  const clock = options.clock ?? systemClock()

  async function perform(call: AgentCall, context: AgentContext, stage: Stage): Promise<AgentOutcome> {
    const { groups, sandbox } = options
    const root = context.projectRoot ?? options.projectRoot
    const place = await workingDirectory(root, call.cwd)
    if ('refused' in place)
      return failedBeforeStart(place.escapes ? 'permission_denied' : 'invalid_request', place.refused)
    const refusal = await refuse(call.prompt, context, { rules, allowShell: options.allowShell === true })
    if (refusal) return failedBeforeStart('permission_denied', refusal)
    if (stage.signal.aborted) return failedBeforeStart('stopped', 'stopped before the command started')

    const startedAt = clock.now()
    const summary = call.prompt.split('\n', 1)[0] ?? ''
    stage.emit({ type: 'tool_start', name: TOOL, summary })
    context.transcript({
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: call.prompt }] },
    })
    const end = await runCommand({
      command: call.prompt,
      cwd: place.path,
      env: withoutSecrets(options.env),
      timeoutMs: call.timeoutMs ?? TIMEOUT_MS,
      signal: stage.signal,
      clock,
      ...(groups && { groups }),
      ...(sandbox && {
        wrap: async argv => sandbox.wrap(argv, { root: await realpath(root), cwd: place.path }),
      }),
      onOutput: () => stage.emit({ type: 'activity' }),
    })
    stage.emit({ type: 'tool_end', name: TOOL })
    context.transcript({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: end.stdout }] },
    })
    return outcomeOf(end, {
      call,
      context,
      usage: { ...noUsage(), toolUses: 1, durationMs: clock.now() - startedAt },
    })
  }

  return {
    start: (call, context) =>
      createExecution(context, async stage => {
        try {
          return await perform(call, context, stage)
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error)
          return failedBeforeStart('backend_unavailable', `the command could not be started: ${reason}`)
        }
      }),
  }
}

/** Why the command may not run, or undefined. */
async function refuse(
  command: string,
  context: AgentContext,
  { rules, allowShell }: { rules: CommandRules; allowShell: boolean },
): Promise<string | undefined> {
  const { decision, reason } = decideCommand(command, rules)
  if (decision === 'allow' || (decision === 'none' && allowShell)) return undefined
  if (decision === 'deny') return `the command is denied: ${reason}`
  const answer = await context.permission?.({ tool: TOOL, input: { command }, why: reason })
  if (answer) {
    const { allowed, source = 'person' } = answer
    context.transcript({
      type: 'system',
      subtype: 'permission',
      tool: TOOL,
      allowed,
      source,
      reason: answer.reason,
    })
  }
  if (answer?.allowed) return undefined
  if (answer) return `the command was not permitted: ${answer.reason}`
  const advice = `allow it with a rule such as "${ruleForCommand(command)}" under permissions.allow, or with --allow-shell`
  return decision === 'ask'
    ? `the command needs permission and nobody is there to ask: ${reason}`
    : `${reason}; ${advice}`
}

interface Finished {
  call: AgentCall
  context: AgentContext
  usage: AgentUsage
}

function outcomeOf(end: CommandEnd, finished: Finished): AgentOutcome {
  const { call, context, usage } = finished
  const text = end.stdout.replace(/\r?\n$/, '')
  const fail = (cause: Cause, message: string): AgentFailure => {
    const failure: AgentFailure = { status: 'failed', cause, message, usage, effects: 'yes' }
    return text === '' ? failure : { ...failure, lastText: text }
  }
  if (end.by === 'abort') return fail('stopped', 'the command was stopped')
  if (end.by === 'timeout')
    return fail('timeout', `the command took longer than ${call.timeoutMs ?? TIMEOUT_MS} ms`)
  if (end.code !== 0) return fail('command_failed', `${describeExit(end)}${stderrOf(end)}`)
  if (call.schema && context.submit) return submitOutput(text, { ...finished, submit: context.submit, fail })
  const value = end.cut > 0 ? `${text}\n[${end.cut} more bytes of output were cut]` : text
  return { status: 'ok', value, usage, effects: 'yes' }
}

function submitOutput(
  text: string,
  {
    submit,
    fail,
    usage,
  }: Finished &
    Required<Pick<AgentContext, 'submit'>> & { fail: (cause: Cause, message: string) => AgentFailure },
): AgentOutcome {
  const parsed = parseJson(text)
  if ('problem' in parsed)
    return fail('schema_rejected', `the output of the command is not JSON: ${parsed.problem}`)
  const value: JsonValue = parsed.value
  const verdict = submit(value)
  if (verdict.accepted) return { status: 'ok', value, usage, effects: 'yes' }
  const issues = verdict.issues.map(issue => `${issue.path || '/'} ${issue.message}`).join('; ')
  return {
    ...fail('schema_rejected', `the output of the command does not match the schema: ${issues}`),
    lastInvalid: value,
  }
}

function describeExit({ code, signal }: CommandEnd): string {
  return code === null ? `the command was ended by ${signal}` : `the command ended with exit code ${code}`
}

function stderrOf({ stderr }: CommandEnd): string {
  const text = stderr.trim()
  return text === '' ? '' : `: ${text.slice(-2000)}`
}
