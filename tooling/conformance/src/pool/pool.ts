import { fork, type ChildProcess } from 'node:child_process'
import { failure, type Job, type JobResult } from './worker.ts'

const CASE_TIMEOUT_MS = 60_000
const STDERR_LIMIT = 4_000

export const WORKER_FLAG = '--case-worker'

/** Runs each job in one of `size` worker processes; a worker that breaks costs one job and is replaced. */
export async function runJobs(
  jobs: (Job & { env?: Record<string, string> })[],
  options: { size: number; done: (index: number, result: JobResult) => void },
): Promise<void> {
  let next = 0
  const lanes = Array.from({ length: Math.min(options.size, jobs.length) }, async () => {
    let worker: Worker | undefined
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index]
      if (!job) break
      if (job.env) options.done(index, await once(job))
      else {
        worker = worker?.alive() ? worker : startWorker({})
        options.done(index, await worker.run(job))
      }
    }
    worker?.end()
  })
  await Promise.all(lanes)
}

interface Worker {
  run(job: Job): Promise<JobResult>
  alive(): boolean
  end(): void
}

/** A case with an environment of its own gets a process of its own. */
async function once(job: Job & { env?: Record<string, string> }): Promise<JobResult> {
  const worker = startWorker(job.env ?? {})
  try {
    return await worker.run(job)
  } finally {
    worker.end()
  }
}

function startWorker(env: Record<string, string>): Worker {
  const child = fork(process.argv[1] ?? '', [WORKER_FLAG], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    serialization: 'json',
  })
  let stderr = ''
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (chunk: string) => (stderr = (stderr + chunk).slice(-STDERR_LIMIT)))
  let alive = true
  child.once('exit', () => (alive = false))
  return {
    alive: () => alive && child.connected,
    end: () => child.kill('SIGKILL'),
    run: ({ file }) => answer(child, { job: { file }, stderr: () => stderr }),
  }
}

function answer(child: ChildProcess, given: { job: Job; stderr: () => string }): Promise<JobResult> {
  const startedAt = performance.now()
  return new Promise(resolve => {
    const settle = (result: JobResult): void => {
      clearTimeout(timer)
      child.off('message', settle).off('exit', onExit)
      resolve(result)
    }
    const fail = (message: string): void =>
      settle({ ms: performance.now() - startedAt, steps: [failure([message])] })
    const onExit = (code: number | null, signal: string | null): void =>
      fail(`the process that ran it ended with ${code ?? signal}\n${given.stderr()}`.trim())
    const timer = setTimeout(() => {
      child.off('exit', onExit).kill('SIGKILL')
      fail(`it did not end within ${CASE_TIMEOUT_MS / 1_000} s`)
    }, CASE_TIMEOUT_MS)
    child.once('message', settle).once('exit', onExit)
    child.send(given.job)
  })
}
