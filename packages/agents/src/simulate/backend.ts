import type { AgentUsage, JsonObject, JsonValue } from '@tutti/protocol'
import {
  createSchemaCompiler,
  systemClock,
  type AgentCall,
  type AgentContext,
  type AgentOutcome,
  type Clock,
  type SchemaCompiler,
} from '@tutti/runtime'
import type { Backend } from '../backend.ts'
import { createExecution, type Stage } from '../execution.ts'
import { wait } from '../wait.ts'
import { loadObjectMaker, type ObjectMaker } from './object.ts'
import { seededBy, type Seeded } from './seed.ts'
import { tooLarge } from './size.ts'
import { subjectOf, type Subject } from './subject.ts'
import { answerText } from './text.ts'

export interface SimulateOptions {
  clock?: Clock
  /** 1: answers take 150 to 1200 ms; 2: half of that; Infinity: no time at all. */
  speed?: number
}

const MODEL = 'simulate'
const ATTEMPTS = 20
const TOOLS = ['Read', 'Grep', 'Glob']

/**
 * Answers from the prompt and the schema alone: offline, and always the same for the same call. Outcomes are
 * marked `simulated` and have no effects.
 */
export function createSimulateBackend(options: SimulateOptions = {}): Backend {
  const clock = options.clock ?? systemClock()
  const speed = options.speed ?? 1
  const compiler = createSchemaCompiler()
  let maker: Promise<ObjectMaker> | undefined

  async function perform(call: AgentCall, context: AgentContext, stage: Stage): Promise<AgentOutcome> {
    const startedAt = clock.now()
    const scene: Scene = {
      call,
      seeded: seededBy(`${call.key}:${call.n}`),
      subject: subjectOf(call.prompt),
      toolUses: 0,
    }
    stage.emit({ type: 'model', model: MODEL })
    await pretendToWork(scene, stage, { clock, speed })
    const spent = (text: string): AgentUsage => usageOf(scene, text, clock.now() - startedAt)
    if (stage.signal.aborted) return failure('stopped', 'stopped before it ended', spent(''))
    const { submit } = context
    if (!call.schema || !submit) {
      const text = answerText(scene.subject, scene.seeded)
      stage.emit({ type: 'text', text })
      record(scene, context, { type: 'text', text })
      return success(text, spent(text))
    }
    const large = tooLarge(call.schema)
    if (large)
      return failure('invalid_request', `the schema is too large to make up an answer: ${large}`, spent(''))
    maker ??= loadObjectMaker()
    return answerObject(scene, { ...context, submit }, { make: await maker, compiler, spent })
  }

  return { start: (call, context) => createExecution(context, stage => perform(call, context, stage)) }
}

/** The speed named by `TUTTI_SIMULATE_SPEED`: a number above 0, or `instant`. 1 when it is neither. */
export function simulateSpeedOf(env: Record<string, string | undefined>): number {
  const given = env.TUTTI_SIMULATE_SPEED
  if (given === 'instant') return Infinity
  const speed = Number(given)
  return speed > 0 ? speed : 1
}

interface Scene {
  call: AgentCall
  seeded: Seeded
  subject: Subject
  toolUses: number
}

async function pretendToWork(
  scene: Scene,
  stage: Stage,
  pace: { clock: Clock; speed: number },
): Promise<void> {
  const { seeded } = scene
  const steps = seeded.fraction('tools') < 0.4 ? seeded.integer('steps', 1, 3) : 0
  const stepMs = seeded.integer('duration', 150, 1200) / pace.speed / (steps + 1)
  const pause = (): Promise<void> => (stepMs > 0 ? wait(pace.clock, stepMs, stage.signal) : Promise.resolve())
  for (let step = 0; step < steps; step++) {
    const name = seeded.pick(`tool ${step}`, TOOLS)
    stage.emit({ type: 'tool_start', name, summary: seeded.pick(`tool ${step} on`, scene.subject.words) })
    await pause()
    if (stage.signal.aborted) return
    stage.emit({ type: 'tool_end', name })
    scene.toolUses++
  }
  await pause()
}

async function answerObject(
  scene: Scene,
  context: AgentContext & Required<Pick<AgentContext, 'submit'>>,
  {
    make,
    compiler,
    spent,
  }: { make: ObjectMaker; compiler: SchemaCompiler; spent: (text: string) => AgentUsage },
): Promise<AgentOutcome> {
  const schema = scene.call.schema ?? {}
  let value: JsonValue = null
  try {
    const validator = await compiler.compile(schema)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      value = make({ schema, subject: scene.subject, seeded: scene.seeded, attempt })
      if (validator.validate(value).length === 0) break
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failure('invalid_request', `no answer can be made up for this schema: ${reason}`, spent(''))
  }
  const written = spent(JSON.stringify(value))
  record(scene, context, { type: 'tool_use', id: 'simulated', name: 'StructuredOutput', input: value })
  if (context.submit(value).accepted) return success(value, written)
  const rejected = failure('schema_rejected', 'no object that was made up is valid for this schema', written)
  return { ...rejected, lastInvalid: value }
}

function record({ call }: Scene, context: AgentContext, content: JsonObject): void {
  context.transcript({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: call.prompt }] },
  })
  context.transcript({ type: 'assistant', message: { role: 'assistant', model: MODEL, content: [content] } })
}

function success(value: JsonValue, usage: AgentUsage): AgentOutcome {
  return { status: 'ok', value, simulated: true, model: MODEL, usage, effects: 'none' }
}

/** Four characters a token, and what a system prompt would take. */
function usageOf({ call, toolUses }: Scene, text: string, durationMs: number): AgentUsage {
  const input = 200 + Math.ceil(call.prompt.length / 4)
  const output = Math.ceil(text.length / 4)
  return { input, output, cacheRead: 0, cacheWrite: 0, toolUses, durationMs, exact: false }
}

function failure(
  cause: 'stopped' | 'invalid_request' | 'schema_rejected',
  message: string,
  usage: AgentUsage,
): Extract<AgentOutcome, { status: 'failed' }> {
  return { status: 'failed', cause, message, model: MODEL, usage, effects: 'none' }
}
