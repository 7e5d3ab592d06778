// A whole consumer of the protocol, to be copied: it starts a session, launches a workflow, follows it, stops it
// and waits for the end of every task. It needs nothing but Node and reads nothing but stdout.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** What is known of a background task. */
export interface Task {
  id: string
  type: string
  /** Of a workflow. */
  name?: string
  /** `running` until its notification, which is the authority on its end. */
  status: string
  /** The newest snapshot; each one replaces the last. */
  rows: Record<string, unknown>[]
  summary?: string
  outputFile?: string
}

export interface ConsumerOptions {
  /** The command, as found on the PATH. */
  command: string
  cwd: string
  env: Record<string, string>
  /** Hears of every change of a task. */
  onTask?(task: Task): void
}

export interface Consumer {
  readonly tasks: ReadonlyMap<string, Task>
  /** Every line of stdout. */
  readonly lines: readonly string[]
  prompt(text: string): void
  /** Resolves with the answer of the session. */
  ask(request: { subtype: string } & Record<string, unknown>): Promise<Record<string, unknown>>
  /** Resolves as soon as it holds; looked at after each line. Rejects when the session ends before. */
  until(holds: () => boolean): Promise<void>
  /** Ends the session properly; resolves with the exit code. */
  end(): Promise<number | null>
}

type Frame = Record<string, unknown>

const ARGUMENTS = [
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--permission-mode',
  'bypassPermissions',
]

export function startConsumer({ command, cwd, env, onTask }: ConsumerOptions): Consumer {
  // stderr is a pipe that nobody reads: a session must not need a reader there.
  const child = spawn(command, ARGUMENTS, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  const tasks = new Map<string, Task>()
  const lines: string[] = []
  const answers = new Map<string, (response: Frame) => void>()
  const watchers = new Set<() => void>()
  let asked = 0
  let ended = false

  const send = (frame: Frame): void => void child.stdin.write(`${JSON.stringify(frame)}\n`)

  createInterface({ input: child.stdout })
    .on('line', line => {
      lines.push(line)
      const frame = JSON.parse(line) as Frame
      if (frame['type'] === 'control_response') answer(frame['response'] as Frame)
      // Only requests of the session need an answer; this consumer grants none.
      if (frame['type'] === 'control_request') refuse(frame)
      if (frame['type'] === 'system') follow(frame)
      for (const watch of watchers) watch()
    })
    .on('close', () => {
      ended = true
      for (const watch of watchers) watch()
    })

  function answer(response: Frame): void {
    const id = String(response['request_id'])
    answers.get(id)?.(response)
    answers.delete(id)
  }

  function refuse(frame: Frame): void {
    const response = { subtype: 'error', request_id: frame['request_id'], error: 'not supported' }
    send({ type: 'control_response', response })
  }

  /** Subtypes and fields that are not known here are ignored: later versions add to them. */
  function follow(frame: Frame): void {
    const id = frame['task_id']
    if (typeof id !== 'string') return
    const task = tasks.get(id) ?? { id, type: 'unknown', status: 'running', rows: [] }
    tasks.set(id, task)
    if (frame['subtype'] === 'task_started') {
      task.type = String(frame['task_type'])
      if (typeof frame['workflow_name'] === 'string') task.name = frame['workflow_name']
    }
    // Also after the notification of a stop: its rows end late. The status never changes again.
    if (frame['subtype'] === 'task_progress' && Array.isArray(frame['workflow_progress'])) {
      task.rows = frame['workflow_progress'] as Frame[]
    }
    if (frame['subtype'] === 'task_notification') {
      task.status = String(frame['status'])
      task.summary = String(frame['summary'])
      task.outputFile = String(frame['output_file'])
    }
    onTask?.(task)
  }

  return {
    tasks,
    lines,
    prompt: text =>
      send({
        type: 'user',
        message: { role: 'user', content: text },
        parent_tool_use_id: null,
        session_id: '',
      }),
    ask(request) {
      asked += 1
      const id = `request-${asked}`
      const answered = new Promise<Frame>(resolve => answers.set(id, resolve))
      send({ type: 'control_request', request_id: id, request })
      return answered
    },
    until: holds =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          if (!holds() && !ended) return
          watchers.delete(watch)
          if (holds()) resolve()
          else reject(new Error('the session has ended'))
        }
        watchers.add(watch)
        watch()
      }),
    end() {
      child.stdin.end()
      return exited
    },
  }
}
