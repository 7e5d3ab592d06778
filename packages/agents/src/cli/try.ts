import type { JsonValue } from '@tutti/protocol'
import type { AgentCall, Clock } from '@tutti/runtime'
import type { Stage } from '../execution.ts'
import type { Submitted } from '../hand-in/structured-output.ts'
import type { Transcript } from '../hand-in/transcript.ts'
import type { ProcessGroups } from '../process-groups.ts'
import { startAgentProcess, type ProcessEnd } from './agent-process.ts'
import type { Prepared } from './prepare.ts'
import type { CliProfile } from './profile.ts'
import { EventReader, type Told } from './read-events.ts'

/** How one run of the command went. */
export interface Tried {
  told: Told
  end: ProcessEnd
  /** Names of the tools it used. */
  tools: Set<string>
  /** The first line that was no event. */
  garbage: string | undefined
  /** It was ended because it used more turns than the call allows. */
  overTurns: boolean
}

export interface TryOptions {
  call: AgentCall
  profile: CliProfile
  command: string
  prepared: Prepared
  cwd: string
  env: Record<string, string>
  groups: ProcessGroups | undefined
  clock: Clock
  stage: Stage
  transcript: Transcript
  /** Calls back at each submission through the tool. */
  onSubmitted(listener: (submitted: Submitted) => void): void
}

/** After its object was accepted it may end its turn, so that its usage is told; but not go on for long. */
const ACCEPTED_GRACE_MS = 20_000
const GARBAGE = 300

/** Runs the command once, to its end or until the signal ends it. Rejects with SpawnError. */
export async function tryOnce(options: TryOptions): Promise<Tried> {
  const { call, profile, prepared, stage, transcript, clock } = options
  const tools = new Set<string>()
  const lines: string[] = []
  let garbage: string | undefined
  let overTurns = false
  const reader = new EventReader({
    emit: event => stage.emit(event),
    text: text => transcript.assistant(text),
    tool(name, input) {
      tools.add(name)
      transcript.tool(name, input)
    },
  })

  const running = await startAgentProcess({
    command: options.command,
    args: prepared.args,
    cwd: options.cwd,
    env: options.env,
    input: prepared.input,
    ...(options.groups && { groups: options.groups }),
    onLine(line) {
      stage.emit({ type: 'activity' })
      if (profile.output !== 'jsonl') lines.push(line ?? '')
      else takeLine(line)
    },
    onNoise: () => stage.emit({ type: 'activity' }),
  })
  const end = (): void => running.end()
  stage.signal.addEventListener('abort', end, { once: true })
  if (stage.signal.aborted) end()
  let grace: { cancel(): void } | undefined
  options.onSubmitted(({ accepted, left }) => {
    if (accepted !== undefined) grace ??= clock.timer(ACCEPTED_GRACE_MS, end)
    else if (left === 0) end()
  })

  const ended = await running.ended
  grace?.cancel()
  stage.signal.removeEventListener('abort', end)
  if (profile.output === 'text') takeText(lines.join('\n'))
  if (profile.output === 'json') takeLine(lines.join('\n'))
  return { told: reader.told, end: ended, tools, garbage, overTurns }

  function takeLine(line: string | undefined): void {
    const event = line === undefined ? undefined : parsed(line)
    if (event === undefined) {
      garbage ??= (line ?? 'a line of more than 32 MiB').slice(0, GARBAGE)
      return
    }
    reader.read(event, profile.events ?? [])
    const limit = profile.maxTurns === 'counted' ? call.maxTurns : undefined
    if (limit !== undefined && reader.told.turns > limit && !overTurns) {
      overTurns = true
      end()
    }
  }

  function takeText(text: string): void {
    reader.told.text = text.trimEnd()
    reader.told.done = ended.code === 0
    if (text !== '') transcript.assistant(text)
  }
}

function parsed(line: string): JsonValue | undefined {
  try {
    const value = JSON.parse(line) as JsonValue
    return typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}
