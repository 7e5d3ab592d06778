/**
 * The life of a session: turns one after the other, each with exactly one `result`. A result waits for the
 * workflows that its turn started when its reader would not see anything after it, or nobody can write any more:
 * then the ends of the workflows, and the turns about them, come first.
 */
import type { ResultFrame, UserFrame } from '@tutti/protocol'
import type { RunEnd, Timer } from '@tutti/runtime'
import type { SessionParts } from '../session-parts.ts'
import { randomUuid } from '../stamp.ts'
import { createWakeup } from '../wakeup.ts'
import { within } from '../within.ts'
import type { EndedWorkflow } from '../workflow/types.ts'
import { resultFrame } from './result-frame.ts'
import { addInterruption, createTally, type Tally } from './tally.ts'
import { createSpilledTexts } from './spilled-texts.ts'
import { createTurnAbort } from './turn-abort.ts'
import { createTurnRunner } from './turn-runner.ts'
import { createWorkQueue } from './work-queue.ts'

export interface SessionLoop {
  /** Runs until input and workflows have ended, or it is stopped. Never rejects. */
  run(): Promise<void>
  prompt(frame: UserFrame): void
  workflowEnded(workflow: EndedWorkflow): void
  inputEnded(): void
  /** Ends the turn, be it one that was asked for and has not begun; with `workflows` those, too. */
  interrupt(options: { workflows: boolean; reason: string }): void
  /** Ends everything that runs; nothing new begins. */
  stop(reason: string): void
  /** Writes a result for what was said in an earlier session, as nothing else will. */
  resultWithoutTurn(): void
  /** Of messages that wait behind the turn that an interrupt would end. */
  readonly queued: string[]
  readonly lastResult: ResultFrame | undefined
  /** A turn or a workflow runs. */
  readonly busy: boolean
  readonly workflows: readonly RunEnd[]
}

export interface SessionLoopOptions {
  /** Input may still come. */
  open: boolean
  /** Results wait for workflows even while input is open. */
  holdsResults(): boolean
}

/** Terminal frames of stopped workflows come before a result, unless they take longer. */
const TERMINAL_MS = 2500
/** From a stop on: late frames of stopped workflows come before the end, unless they take longer. */
const SETTLE_MS = 3500
/** From a stop on: a turn that does not end is given up. */
const GIVE_UP_MS = 3000

export function createSessionLoop(parts: SessionParts, options: SessionLoopOptions): SessionLoop {
  const { clock, outbox, spending, note, random } = parts
  const { maxWaitMs } = parts.options.config
  const runner = createTurnRunner(parts)
  const turn = createTurnAbort()
  const queue = createWorkQueue({ spilled: createSpilledTexts(() => `tutti-${randomUuid(random)}`) })
  const wakeup = createWakeup()
  /** Their ends begin no turn: a person has stopped them. */
  const quiet = new Set<string>()
  const ended: RunEnd[] = []
  /** Workflows that ran when the turn began. */
  let others: ReadonlySet<string> = new Set()
  let open = options.open
  let stopping = false
  let waitIsOver = false
  let waitTimer: Timer | undefined
  let held: Tally | undefined
  let performing = false
  /** A message whose turn was interrupted before it began, and why. */
  let interrupted: { uuid: string; reason: string } | undefined
  let stops: Promise<unknown> = Promise.resolve()
  let stopsUnderWay = 0
  let stoppedAt: number | undefined
  let giveUp: () => void = () => {}
  const givenUp = new Promise<'given-up'>(resolve => (giveUp = () => resolve('given-up')))
  let lastResult: ResultFrame | undefined

  const running = (): readonly { taskId: string }[] => parts.desk.opened?.running ?? []
  /** Once nobody can write any more, all that runs is waited for; before that, what the turn has started. */
  const awaited = (): boolean =>
    running().some(({ taskId }) => !quiet.has(taskId) && !(open && others.has(taskId)))

  /** Launches that are on their way are stopped, too, be it after they have begun. */
  const stopWorkflows = (reason: string): void => {
    const desk = parts.desk.opened
    if (desk === undefined) return
    const hush = (): void => {
      for (const { taskId } of desk.running) quiet.add(taskId)
    }
    hush()
    stopsUnderWay++
    const stopped = within(desk.stopAll(reason), TERMINAL_MS, clock).then(() => {
      hush()
      stopsUnderWay--
      wakeup.wake()
    })
    stops = Promise.all([stops, stopped])
  }

  const writeResult = (tally: Tally): void => {
    if (running().length > 0) parts.desk.opened?.announceTasks()
    lastResult = resultFrame({ tally, spending, now: clock.now(), stamp: outbox.stamp() })
    outbox.write(lastResult)
  }

  const release = (): void => {
    if (held !== undefined) writeResult(held)
    held = undefined
  }

  const waitForWorkflows = async (): Promise<void> => {
    if (!open && maxWaitMs !== undefined && waitTimer === undefined && !waitIsOver) {
      waitTimer = clock.timer(maxWaitMs, () => {
        waitIsOver = true
        note(`the wait of ${Math.round(maxWaitMs / 1000)} s for workflows is over; they are stopped`)
        stopWorkflows('the session waits no longer')
      })
    }
    if (waitIsOver && awaited()) stopWorkflows('the session waits no longer')
    void parts.desk.opened?.idle().then(() => wakeup.wake())
    await wakeup.wait()
  }

  const mayHold = (signal: AbortSignal): boolean => {
    if (stopping || signal.aborted || (open && !options.holdsResults())) return false
    return queue.promptIds.length === 0 && (awaited() || queue.size > 0)
  }

  const perform = async (work: NonNullable<ReturnType<typeof queue.shift>>): Promise<void> => {
    if (work.kind === 'prompt') release()
    // Under one result there is no need for a turn about each.
    else if (!open || held !== undefined) work.workflows.push(...queue.shiftEnds())
    const origin = work.kind === 'notification' ? { kind: 'task-notification' } : undefined
    if (held === undefined) others = new Set(running().map(({ taskId }) => taskId))
    const tally = held ?? createTally(clock.now(), origin)
    held = undefined
    const signal = turn.begin()
    if (work.kind === 'prompt' && work.uuid === interrupted?.uuid) {
      turn.interrupt(interrupted.reason)
      interrupted = undefined
    }
    const end = await Promise.race([runner.run(work, tally, signal), givenUp])
    if (end === 'given-up') addInterruption(tally, 'the turn did not end when it was stopped')
    turn.end()
    await stops
    if (mayHold(signal)) held = tally
    else writeResult(tally)
    await Promise.race([outbox.room(), givenUp])
  }

  /** False: it is over. */
  const step = async (): Promise<boolean> => {
    if (stopping) return false
    const work = queue.shift()
    if (work !== undefined) {
      performing = true
      await perform(work)
      performing = false
    } else if (held !== undefined && !awaited()) await stops.then(release)
    else if (held !== undefined || (!open && running().length > 0)) await waitForWorkflows()
    else if (open) await wakeup.wait()
    else return false
    return true
  }

  return {
    async run() {
      while (await step());
      waitTimer?.cancel()
      queue.close()
      await stops
      release()
      const desk = parts.desk.opened
      const left = (stoppedAt ?? clock.now()) + SETTLE_MS - clock.now()
      if (desk !== undefined && desk.running.length > 0) await within(desk.idle(), Math.max(0, left), clock)
    },
    prompt(frame) {
      queue.push({ kind: 'prompt', frame, uuid: frame.uuid ?? randomUuid(random) })
      wakeup.wake()
    },
    workflowEnded(workflow) {
      ended.push(workflow.end)
      spending.addWorkflow(workflow.end)
      const killed = stopsUnderWay > 0 && workflow.end.status === 'killed'
      if (quiet.delete(workflow.handle.taskId) || killed || stopping) runner.remember(workflow.text)
      else queue.push({ kind: 'notification', workflows: [workflow] })
      wakeup.wake()
    },
    inputEnded() {
      open = false
      wakeup.wake()
    },
    interrupt({ workflows, reason }) {
      turn.interrupt(reason)
      const [next] = queue.promptIds
      if (!performing && next !== undefined) interrupted ??= { uuid: next, reason }
      if (workflows) stopWorkflows(reason)
      wakeup.wake()
    },
    stop(reason) {
      stopping = true
      if (stoppedAt === undefined) clock.timer(GIVE_UP_MS, giveUp)
      stoppedAt ??= clock.now()
      turn.interrupt(reason)
      stopWorkflows(reason)
      wakeup.wake()
    },
    resultWithoutTurn() {
      writeResult(createTally(clock.now()))
    },
    get queued() {
      return performing ? queue.promptIds : queue.promptIds.slice(1)
    },
    get busy() {
      return performing || running().length > 0
    },
    get lastResult() {
      return lastResult
    },
    workflows: ended,
  }
}
