/**
 * A run as task frames. `task_started` first; snapshots coalesced; one `task_updated` per change of status;
 * exactly one `task_notification`, after its `task_updated`. On a stop the pair does not wait for the agents:
 * their rows follow in late snapshots (dialect `claude-code`: they get 1.5 s, and nothing follows the pair).
 */
import {
  boundError,
  boundLabel,
  mapFrame,
  type Dialect,
  type FrameStamp,
  type RunRecord,
  type RunStatus,
  type TaskFrame,
  type TaskProgressFrame,
  type TaskUsage,
} from '@tutti/protocol'
import type { Clock, Random, RunEvent, RunHandle, Timer } from '@tutti/runtime'
import { createBackgroundTasks, type BackgroundTasks } from './background-tasks.ts'
import { notificationStatus, runSummary } from './run-summary.ts'
import { createSnapshotPace } from './snapshot-pace.ts'
import { stamp } from './stamp.ts'
import { createTaskRows, type TaskRows } from './task-rows.ts'

const SETTLE_MS = 1500

export interface TaskStreamOptions {
  handle: RunHandle
  dialect: Dialect
  sessionId: string
  toolUseId?: string
  /** Takes a frame; `sent` hears its size in bytes once it was written out. */
  write(frame: TaskFrame, sent?: (bytes: number) => void): void
  clock: Clock
  random: Random
  /** Name of the script file for a run that was started by path. */
  scriptFile?: string
  /** Text of the script, for the dialect that shows it. */
  script?: string
  /** The session's set of running tasks; absent: this task is the only one. */
  tasks?: BackgroundTasks
}

export interface TaskStream {
  /** Resolves when the last frame of the task was handed over. */
  readonly done: Promise<void>
}

/** Writes `task_started` before it returns, everything else as it happens. */
export function createTaskStream(options: TaskStreamOptions): TaskStream {
  const stream = new RunningTaskStream(options)
  stream.start()
  return { done: stream.follow() }
}

type Ending = 'none' | 'waiting-for-end' | 'settling' | 'announced'

class RunningTaskStream {
  readonly #options: TaskStreamOptions
  readonly #tasks: BackgroundTasks
  readonly #rows: TaskRows
  readonly #pace = createSnapshotPace()
  readonly #startedAt: number
  #changed = false
  #timer: Timer | undefined
  #ending: Ending = 'none'
  #endedAt: number | undefined
  #settleTimer: Timer | undefined

  constructor(options: TaskStreamOptions) {
    this.#options = options
    this.#rows = createTaskRows(options.dialect)
    this.#startedAt = options.handle.snapshot().attemptStartedAt
    this.#tasks =
      options.tasks ??
      createBackgroundTasks({
        sessionId: options.sessionId,
        random: options.random,
        write: frame => options.write(frame),
      })
  }

  start(): void {
    const { handle, scriptFile } = this.#options
    this.#write({
      type: 'system',
      subtype: 'task_started',
      ...this.#taskFields(),
      task_type: 'local_workflow',
      workflow_name: boundLabel(scriptFile === undefined ? handle.name : `path:${scriptFile}`),
      description: boundError(handle.description),
      ...this.#stamp(),
    })
    this.#tasks.add({
      task_id: handle.taskId,
      task_type: 'local_workflow',
      description: boundError(handle.description),
    })
  }

  async follow(): Promise<void> {
    for await (const event of this.#options.handle.events) this.#onEvent(event)
    this.#cancelTimers()
  }

  #onEvent(event: RunEvent): void {
    if (event.type === 'status') this.#onStatus(event.status, event.terminal, event.at)
    else if (event.type === 'end') this.#onEnd(event.end.record)
    else if (this.#rows.apply(event)) this.#touch()
  }

  #onStatus(status: RunStatus, terminal: boolean, at: number): void {
    if (this.#ending !== 'none') return
    if (!terminal) {
      // What was seen before a change of status leaves before it.
      this.#sendSnapshot()
      this.#update(status)
      return
    }
    this.#endedAt = at
    if (status !== 'killed') {
      // The output file must be there when the notification names it.
      this.#ending = 'waiting-for-end'
      return
    }
    if (this.#options.dialect !== 'claude-code') {
      this.#announce({ ...this.#options.handle.snapshot(), status })
      return
    }
    this.#ending = 'settling'
    this.#settleTimer = this.#options.clock.timer(SETTLE_MS, () => this.#settled())
    if (this.#rows.allEnded()) this.#settled()
  }

  #onEnd(record: RunRecord): void {
    this.#endedAt ??= record.endedAt ?? this.#options.clock.now()
    if (this.#ending === 'settling') {
      this.#settled()
      return
    }
    if (this.#ending !== 'announced') {
      this.#announce(record)
      return
    }
    if (this.#options.dialect === 'claude-code') return
    if (this.#rows.abortOpen(this.#options.clock.now())) this.#changed = true
    this.#sendSnapshot()
  }

  /** Dialect `claude-code`: the agents of a stopped run had their time. */
  #settled(): void {
    if (this.#ending !== 'settling') return
    if (this.#rows.abortOpen(this.#options.clock.now())) this.#changed = true
    this.#announce({ ...this.#options.handle.snapshot(), status: 'killed' })
  }

  /** The newest snapshot, then the terminal pair. */
  #announce(record: RunRecord): void {
    this.#sendSnapshot()
    this.#ending = 'announced'
    this.#update(record.status, this.#endedAt)
    this.#write({
      type: 'system',
      subtype: 'task_notification',
      ...this.#taskFields(),
      status: notificationStatus(record.status),
      summary: runSummary(record),
      output_file: this.#options.handle.locations.output,
      usage: this.#usage(),
      ...this.#stamp(),
    })
    this.#tasks.remove(this.#options.handle.taskId)
  }

  #update(status: RunStatus, endTime?: number): void {
    this.#write({
      type: 'system',
      subtype: 'task_updated',
      task_id: this.#options.handle.taskId,
      patch: { status, ...(endTime !== undefined && { end_time: endTime }) },
      ...this.#stamp(),
    })
  }

  /** Something a snapshot shows has changed: one leaves as soon as its pace allows. */
  #touch(): void {
    if (this.#ending === 'announced' && this.#options.dialect === 'claude-code') return
    this.#changed = true
    if (this.#ending === 'settling') {
      if (this.#rows.allEnded()) this.#settled()
      return
    }
    if (this.#timer !== undefined) return
    const wait = this.#pace.waitMs(this.#options.clock.now())
    if (wait === 0) this.#sendSnapshot()
    else this.#later(wait)
  }

  #later(ms: number): void {
    this.#timer = this.#options.clock.timer(ms, () => {
      this.#timer = undefined
      if (!this.#changed) return
      const wait = this.#pace.waitMs(this.#options.clock.now())
      if (wait === 0) this.#sendSnapshot()
      else this.#later(wait)
    })
  }

  /** Without effect when nothing changed since the last one. */
  #sendSnapshot(): void {
    if (!this.#changed) return
    const rows = this.#rows.snapshot()
    if (rows.length === 0) return
    this.#changed = false
    this.#timer?.cancel()
    this.#timer = undefined
    const { handle, clock } = this.#options
    const frame: TaskProgressFrame = {
      type: 'system',
      subtype: 'task_progress',
      ...this.#taskFields(),
      description: boundError(handle.description),
      usage: this.#usage(),
      workflow_progress: rows,
      ...this.#stamp(),
    }
    this.#pace.handedOver(clock.now())
    this.#write(frame, bytes => this.#pace.paid(clock.now(), bytes))
  }

  #write(frame: TaskFrame, sent?: (bytes: number) => void): void {
    const { dialect, handle, script } = this.#options
    const mapped = mapFrame(frame, dialect, {
      workflowName: boundLabel(handle.name),
      script,
      transcriptOf: row => this.#rows.transcripts.get(row.index),
    })
    this.#options.write(mapped as TaskFrame, sent)
  }

  #usage(): TaskUsage {
    const until = this.#endedAt ?? this.#options.clock.now()
    return this.#rows.usage(until - this.#startedAt)
  }

  #taskFields(): { task_id: string; tool_use_id?: string } {
    const { handle, toolUseId } = this.#options
    return { task_id: handle.taskId, ...(toolUseId !== undefined && { tool_use_id: toolUseId }) }
  }

  #stamp(): FrameStamp {
    return stamp(this.#options.sessionId, this.#options.random)
  }

  #cancelTimers(): void {
    this.#timer?.cancel()
    this.#settleTimer?.cancel()
  }
}
