import { Worker } from 'node:worker_threads'
import type { FailureMessage } from './messages.ts'

/** How long to wait for an answer, and what it means when none comes. */
export interface Patience {
  ms: number
  late: FailureMessage['kind']
}

/** The thread of a sandbox. One question at a time; every question is answered. */
export interface Thread {
  /** The thread's answer, or `f` + JSON of a FailureMessage. */
  ask(message: string, patience: Patience): Promise<string>
  /** Idempotent. An open question is answered with a failure. */
  terminate(): Promise<void>
}

/** Deep enough for every recursion that the engine's own stack limit allows. */
const STACK_MIB = 16

/** Starts the thread. It keeps the process alive only while a question is open. */
export function startThread(): Thread {
  const worker = new Worker(workerUrl(), {
    name: 'tutti-sandbox',
    resourceLimits: { stackSizeMb: STACK_MIB },
    env: {},
    execArgv: [],
  })
  let answer: ((text: string) => void) | undefined
  let gone: string | undefined
  let ending: Promise<void> | undefined

  function settle(text: string): void {
    const open = answer
    answer = undefined
    worker.unref()
    open?.(text)
  }

  function lose(reason: string): void {
    gone ??= failure({ kind: 'crash', message: reason })
    settle(gone)
  }

  worker.unref()
  worker.on('message', settle)
  worker.on('error', error => {
    lose(String(error))
  })
  worker.on('exit', () => {
    lose('its thread has ended')
  })

  function terminate(): Promise<void> {
    ending ??= worker.terminate().then(() => {
      lose('its thread was ended')
    })
    return ending
  }

  return {
    ask: (message, { ms, late }) => {
      if (gone !== undefined) return Promise.resolve(gone)
      if (answer !== undefined)
        return Promise.reject(new Error('The sandbox is still busy: deliveries must not overlap.'))
      return new Promise(resolve => {
        const watchdog = setTimeout(() => {
          // The answer may lie there already, if this thread was the busy one.
          setImmediate(() => {
            if (answer === finish) settle(failure({ kind: late }))
          })
        }, ms)
        const finish = (text: string): void => {
          clearTimeout(watchdog)
          resolve(text)
        }
        answer = finish
        worker.ref()
        worker.postMessage(message)
      })
    },
    terminate,
  }
}

function failure(message: FailureMessage): string {
  return `f${JSON.stringify(message)}`
}

/** Beside the built module; from source, in the build's folder, since a thread starts no TypeScript. */
function workerUrl(): URL {
  const built = import.meta.url.endsWith('.ts') ? '../../dist/sandbox-worker.js' : './sandbox-worker.js'
  return new URL(built, import.meta.url)
}
