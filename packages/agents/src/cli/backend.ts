import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  TRANSIENT_CAUSES,
  type AgentUsage,
  type Cause,
  type Effects,
  type PermissionSettings,
} from '@tutti/protocol'
import { systemClock, type AgentCall, type AgentContext, type AgentOutcome, type Clock } from '@tutti/runtime'
import type { Backend } from '../backend.ts'
import { createExecution, type Stage } from '../execution.ts'
import { serveTool } from '../hand-in/serve-tool.ts'
import { createStructuredOutput, type Submitted } from '../hand-in/structured-output.ts'
import { transcriptTo } from '../hand-in/transcript.ts'
import { failedBeforeStart, noUsage } from '../outcome.ts'
import type { ProcessGroups } from '../process-groups.ts'
import { redactorFor } from '../redact.ts'
import { workingDirectory } from '../shell/working-directory.ts'
import { SpawnError } from './agent-process.ts'
import { effectsOf } from './effects.ts'
import { agentEnvironment } from './environment.ts'
import { judge, type Verdict } from './judge.ts'
import { modelFor } from './model-for.ts'
import { objectWay, prepare, type Opening } from './prepare.ts'
import type { CliProfile } from './profile.ts'
import { tryOnce, type Tried } from './try.ts'

export interface CliOptions {
  profile: CliProfile
  /** Instead of the profile's. */
  command?: string
  /** Added to those of the profile. */
  args?: string[]
  env: Record<string, string | undefined>
  /** Agents work here or below. */
  projectRoot: string
  /** Where a call names no model. */
  model?: string
  /** Alias → model id. */
  models?: Record<string, string>
  /** Handed to products that take such rules. */
  permissions?: PermissionSettings
  /** Told of every process group that runs. */
  groups?: ProcessGroups
  clock?: Clock
}

/** Runs calls with the command of another agent product. */
export function createCliBackend(options: CliOptions): Backend {
  const redact = redactorFor(options.env)
  return {
    start: (call, context) =>
      createExecution(context, async stage => {
        try {
          const outcome = await perform({ call, context, stage, options })
          return outcome.status === 'failed' ? { ...outcome, message: redact(outcome.message) } : outcome
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error)
          return failedBeforeStart(
            error instanceof SpawnError ? 'backend_unavailable' : 'crashed',
            redact(reason),
            error instanceof SpawnError ? 'none' : 'unknown',
          )
        }
      }),
  }
}

const STOPPED: Verdict = { kind: 'failure', cause: 'stopped', message: 'the agent was stopped' }

interface Work {
  call: AgentCall
  context: AgentContext
  stage: Stage
  options: CliOptions
}

async function perform(work: Work): Promise<AgentOutcome> {
  const { call, context, stage, options } = work
  const place = await workingDirectory(context.projectRoot ?? options.projectRoot, call.cwd)
  if ('refused' in place)
    return failedBeforeStart(place.escapes ? 'permission_denied' : 'invalid_request', place.refused)
  const model = modelFor(call, options)
  if (model?.startsWith('-')) return failedBeforeStart('invalid_request', `"${model}" is no name of a model`)
  if (stage.signal.aborted) return failedBeforeStart('stopped', 'stopped before it started')
  if (model !== undefined) stage.emit({ type: 'model', model })
  const folder = await mkdtemp(join(tmpdir(), 'tutti-agent-'))
  try {
    return await converse(work, { cwd: place.path, folder, model })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Place {
  cwd: string
  /** Of this call alone. */
  folder: string
  model: string | undefined
}

/** The call's prompt and, when the object was missing or wrong, one more message. */
async function converse(work: Work, place: Place): Promise<AgentOutcome> {
  const { call, context, stage, options } = work
  const { profile } = options
  const clock = options.clock ?? systemClock()
  const command = options.command ?? profile.command
  const way = objectWay(call, profile)
  let submitted: (submitted: Submitted) => void = () => {}
  const output =
    call.schema && context.submit
      ? createStructuredOutput({
          schema: call.schema,
          submit: context.submit,
          onSubmitted: now => submitted(now),
        })
      : undefined
  await using served = way === 'mcp' && output ? await serveTool(output.tool, place.folder) : undefined
  const preparation = {
    ...place,
    call,
    profile,
    way,
    args: options.args ?? [],
    permissions: options.permissions ?? {},
    tool: served?.command,
  }
  const transcript = transcriptTo(context, clock)
  const startedAt = clock.now()
  const tries: Tried[] = []
  const first = firstOpening(call, profile)
  if ('refused' in first) return failedBeforeStart('invalid_request', first.refused)
  let opening: Opening = first
  for (;;) {
    const prepared = await prepare(preparation, opening)
    transcript.user(opening.prompt)
    const tried = await tryOnce({
      call,
      profile,
      command,
      prepared,
      cwd: place.cwd,
      env: { ...agentEnvironment(options.env, place.cwd), ...prepared.env },
      groups: options.groups,
      clock,
      stage,
      transcript,
      onSubmitted: listener => (submitted = listener),
    })
    tries.push(tried)
    const verdict: Verdict = stage.signal.aborted
      ? STOPPED
      : judge({ tried, profile, command: basename(command), output, way })
    if (verdict.kind === 'again' && tries.length === 1) {
      opening = openingAfter(verdict, { tried, call, profile })
      continue
    }
    const outcome = outcomeOf(verdict, { tries, output, durationMs: clock.now() - startedAt, place, profile })
    return withSession(outcome, call)
  }
}

/** The prompt, or the next message of the conversation that the call goes on with. */
function firstOpening(
  { prompt, continueFrom }: AgentCall,
  profile: CliProfile,
): Opening | { refused: string } {
  if (!continueFrom) return { prompt, session: undefined }
  const { sessionId, message, required } = continueFrom
  if (goesOn(profile, sessionId)) return { prompt: message, session: sessionId }
  const refused = `the command has no way to go on with the conversation "${sessionId.slice(0, 80)}"`
  return required ? { refused } : { prompt, session: undefined }
}

function goesOn({ args }: CliProfile, session: string): boolean {
  return !session.startsWith('-') && args.flat().some(arg => arg.includes('{session}'))
}

/** In the same conversation where that is possible, else all over again with the reasons. */
function openingAfter(
  { prompt }: Verdict & { kind: 'again' },
  { tried, call, profile }: { tried: Tried; call: AgentCall; profile: CliProfile },
): Opening {
  const { session } = tried.told
  if (session !== undefined && goesOn(profile, session)) return { prompt, session }
  return { prompt: `${call.prompt}\n\n${prompt}`, session: undefined }
}

/** One that could not even begin, for a reason that passes, still has the conversation it was to go on with. */
function withSession(outcome: AgentOutcome, { continueFrom }: AgentCall): AgentOutcome {
  if (outcome.status === 'ok' || outcome.sessionId !== undefined || !continueFrom) return outcome
  const passes = outcome.cause === 'stopped' || (TRANSIENT_CAUSES as readonly Cause[]).includes(outcome.cause)
  return passes ? { ...outcome, sessionId: continueFrom.sessionId } : outcome
}

interface Ended {
  tries: Tried[]
  output: { submitted: Submitted } | undefined
  durationMs: number
  place: Place
  profile: CliProfile
}

function outcomeOf(verdict: Verdict, { tries, output, durationMs, place, profile }: Ended): AgentOutcome {
  const last = tries.at(-1) as Tried
  const { session, text } = last.told
  const model = last.told.model ?? place.model
  const common = {
    usage: usageOf(tries, durationMs),
    effects: effectsOfAll(tries, verdict, profile),
    ...(model !== undefined && { model }),
    ...(session !== undefined && { sessionId: session }),
  }
  if (verdict.kind === 'value') return { status: 'ok', value: verdict.value, ...common }
  const { cause, message } = verdict
  const refused = output?.submitted.refused
  return {
    status: 'failed',
    cause,
    message,
    ...common,
    ...(text !== '' && { lastText: text }),
    ...(refused && cause === 'schema_rejected' && { lastInvalid: refused.value }),
  }
}

function usageOf(tries: Tried[], durationMs: number): AgentUsage {
  const usage: AgentUsage = { ...noUsage(), durationMs, costUsd: 0, exact: true }
  for (const { told } of tries) {
    usage.input += told.usage?.input ?? 0
    usage.output += told.usage?.output ?? 0
    usage.cacheRead += told.usage?.cacheRead ?? 0
    usage.cacheWrite += told.usage?.cacheWrite ?? 0
    usage.toolUses += told.toolUses
    if (told.usage === undefined) usage.exact = false
    if (told.costUsd === undefined || usage.costUsd == null) usage.costUsd = null
    else usage.costUsd += told.costUsd
  }
  return usage
}

/** One that did not come to its end may have used tools it did not tell about. */
function effectsOfAll(tries: Tried[], verdict: Verdict, { events = [] }: CliProfile): Effects {
  const effects = effectsOf(tries.flatMap(({ tools }) => [...tools]))
  const silent = verdict.kind === 'failure' || events.length === 0 || tries.some(({ told }) => !told.done)
  return effects === 'none' && silent ? 'unknown' : effects
}
