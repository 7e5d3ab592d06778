/**
 * The runs of a session: those that go on, and what is kept of those that ended. A run is told of by its task
 * frames; when the last of them was written, the host hears how it ended.
 */
import { basename } from 'node:path'
import type { Dialect, RunStatus, TaskFrame } from '@tutti/protocol'
import type { Clock, Random, RunEnd, RunHandle, ScriptInput } from '@tutti/runtime'
import { createBackgroundTasks, type BackgroundTasks } from '../background-tasks.ts'
import { notificationText } from '../notification-text.ts'
import { runSummary } from '../run-summary.ts'
import { createTaskStream } from '../task-stream.ts'
import type { DeskHost } from './types.ts'

/** A run that has not ended. */
export interface RunningTask {
  readonly handle: RunHandle
  readonly toolUseId: string
  /** The terminal frames were written; a stopped run's agents may still settle. */
  readonly announced: boolean
  /** Resolves when it is. */
  readonly told: Promise<void>
  /** Resolves when the host has heard how it ended. */
  readonly done: Promise<EndedTask>
}

/** What is kept of a run that ended. */
export interface EndedTask {
  taskId: string
  runId: string
  workflowName: string
  description: string
  status: RunStatus
  /** The cause that paused it, and when it can go on again if that is known. */
  pausedBy?: string
  resetAt?: number
  summary: string
  startedAt: number
  endedAt: number
  outputFile: string
  /** `<task-notification>…`. */
  text: string
}

export interface SessionRunsOptions {
  host: DeskHost
  dialect: Dialect
  clock: Clock
  random: Random
  warn(message: string): void
}

export interface SessionRuns {
  readonly running: readonly RunningTask[]
  /** Oldest first; the last hundred. */
  readonly ended: readonly EndedTask[]
  /** Writes `task_started` before it returns, and follows the run to its end. */
  follow(handle: RunHandle, launch: { toolUseId: string; script: ScriptInput }): RunningTask
  byTask(taskId: string): RunningTask | undefined
  byRun(runId: string): RunningTask | undefined
  announce(): void
  /** Resolves when no run goes on. */
  idle(): Promise<void>
}

const MAX_ENDED = 100

export function createSessionRuns(options: SessionRunsOptions): SessionRuns {
  const { host, random } = options
  const tasks = createBackgroundTasks({
    sessionId: host.sessionId,
    random,
    write: frame => host.write(frame),
  })
  const running = new Map<string, FollowedRun>()
  const ended: EndedTask[] = []

  return {
    get running() {
      return [...running.values()]
    },
    ended,
    follow(handle, launch) {
      const run = new FollowedRun(options, tasks, { handle, ...launch })
      running.set(handle.taskId, run)
      run.start(end => {
        running.delete(handle.taskId)
        ended.push(end)
        if (ended.length > MAX_ENDED) ended.shift()
      })
      return run
    },
    byTask: taskId => running.get(taskId),
    byRun: runId => [...running.values()].find(({ handle }) => handle.runId === runId),
    // When nothing is left, that was said when the last one ended.
    announce() {
      if (tasks.size > 0) tasks.announce()
    },
    async idle() {
      while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

class FollowedRun implements RunningTask {
  readonly #options: SessionRunsOptions
  readonly #tasks: BackgroundTasks
  readonly #script: ScriptInput
  readonly handle: RunHandle
  readonly toolUseId: string
  readonly told: Promise<void>
  readonly done: Promise<EndedTask>
  announced = false
  #tell: () => void = () => {}
  #finish: (end: EndedTask) => void = () => {}

  constructor(
    options: SessionRunsOptions,
    tasks: BackgroundTasks,
    launch: { handle: RunHandle; toolUseId: string; script: ScriptInput },
  ) {
    this.#options = options
    this.#tasks = tasks
    this.#script = launch.script
    this.handle = launch.handle
    this.toolUseId = launch.toolUseId
    this.told = new Promise(resolve => (this.#tell = resolve))
    this.done = new Promise(resolve => (this.#finish = resolve))
  }

  start(onEnd: (end: EndedTask) => void): void {
    const { host, dialect, clock, random, warn } = this.#options
    const { path, source } = this.#script
    const stream = createTaskStream({
      handle: this.handle,
      dialect,
      sessionId: host.sessionId,
      toolUseId: this.toolUseId,
      clock,
      random,
      tasks: this.#tasks,
      ...(path !== undefined && { scriptFile: basename(path) }),
      ...(dialect === 'claude-code' && { script: source }),
      write: (frame, sent) => this.#write(frame, sent),
    })
    const finish = async (): Promise<void> => {
      await stream.done.catch((error: unknown) => warn(`frames of ${this.handle.taskId}: ${String(error)}`))
      const end = await this.handle.result
      const text = this.#text(end)
      const kept = endedTask(this.handle, end, text)
      onEnd(kept)
      this.#announced()
      try {
        host.ended({ handle: this.handle, end, toolUseId: this.toolUseId, text })
      } finally {
        this.#finish(kept)
      }
    }
    finish().catch((error: unknown) => warn(`end of ${this.handle.taskId}: ${String(error)}`))
  }

  #write(frame: TaskFrame, sent: ((bytes: number) => void) | undefined): void {
    this.#options.host.write(frame, sent)
    if (frame.subtype === 'task_notification') this.#announced()
  }

  #announced(): void {
    this.announced = true
    this.#tell()
  }

  #text({ record, value, partialResult }: RunEnd): string {
    const result = value ?? partialResult
    return notificationText({
      record,
      toolUseId: this.toolUseId,
      outputFile: this.handle.locations.output,
      ...(result !== undefined && { result }),
    })
  }
}

function endedTask(handle: RunHandle, { record }: RunEnd, text: string): EndedTask {
  return {
    taskId: handle.taskId,
    runId: handle.runId,
    workflowName: handle.name,
    description: handle.description,
    status: record.status,
    ...(record.pausedBy !== undefined && { pausedBy: record.pausedBy }),
    ...(record.resetAt !== undefined && { resetAt: record.resetAt }),
    summary: runSummary(record),
    startedAt: record.attemptStartedAt,
    endedAt: record.endedAt ?? record.heartbeatAt,
    outputFile: handle.locations.output,
    text,
  }
}
