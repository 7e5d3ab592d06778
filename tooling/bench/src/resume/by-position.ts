import { CONCURRENCY, jitter, STAGES, type Attempt, type Experiment } from './experiment.ts'

/** What the call at a position of the issue order was, and whether it has a result. */
export interface Position {
  prompt: string
  done: boolean
}

/**
 * The baseline: results found by the position of their call. A call takes the result of its position as long as the
 * prompt is the same and every call before it took one too; from the first miss on, everything runs.
 */
export async function attemptByPosition(
  experiment: Experiment,
  attempt: number,
  recorded: readonly Position[],
): Promise<Attempt & { positions: Position[] }> {
  const positions: Position[] = []
  const slots = new Slots()
  let live = 0
  let ended = 0
  let missed = false
  let kill: () => void = () => {}
  const killed = new Promise<void>(resolve => (kill = resolve))

  async function agent(prompt: string): Promise<string | null> {
    const position: Position = { prompt, done: false }
    const found = recorded[positions.push(position) - 1]
    missed ||= found?.prompt !== prompt || !found.done
    if (missed) {
      await slots.take()
      live++
      await new Promise(resolve => setTimeout(resolve, jitter(experiment, attempt, prompt)))
      if (ended === experiment.killAt) return await new Promise(() => {})
      if (++ended === experiment.killAt) kill()
      slots.give()
    }
    const failed = attempt === 1 && prompt === experiment.failing
    position.done = !failed
    return failed ? null : prompt
  }

  await Promise.race([killed, runShape(experiment, agent)])
  return { live, positions }
}

/** The same calls as the scripts of the samples make. */
async function runShape(
  { shape, agents }: Experiment,
  agent: (prompt: string) => Promise<unknown>,
): Promise<void> {
  const lane = async (i: number): Promise<void> => {
    if (shape === 'parallel') return void (await agent(`task ${i}`))
    for (let stage = 0; stage < STAGES; stage++) await agent(`stage ${stage} of ${i}`)
  }
  const lanes = shape === 'parallel' ? agents : agents / STAGES
  await Promise.all(Array.from({ length: lanes }, (_, i) => lane(i)))
}

/** First come, first served. */
class Slots {
  #free: number = CONCURRENCY
  readonly #waiting: (() => void)[] = []

  async take(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
  }

  give(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
