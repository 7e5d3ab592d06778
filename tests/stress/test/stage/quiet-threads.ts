import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

let open = 0
const idle: (() => void)[] = []

function begin(): void {
  open++
}

function end(): void {
  if (--open === 0) for (const resolve of idle.splice(0)) resolve()
}

// From here on questions to threads and their terminations are counted until they are through.
const { postMessage, terminate } = Worker.prototype
Worker.prototype.postMessage = function (this: Worker, ...args: Parameters<Worker['postMessage']>) {
  begin()
  const done = (): void => {
    this.off('message', done)
    this.off('exit', done)
    end()
  }
  this.on('message', done)
  this.on('exit', done)
  return postMessage.apply(this, args)
} as Worker['postMessage']
Worker.prototype.terminate = async function (this: Worker) {
  begin()
  return await terminate.call(this).finally(end)
}

/**
 * Resolves when no script is busy and all that waited for promises has run: whatever could go on by itself has
 * gone on. Makes an interleaving the same for the same seed.
 */
export async function quiet(): Promise<void> {
  for (let still = 0; still < 3; still++) {
    await turn()
    if (open === 0) continue
    still = 0
    await new Promise<void>(resolve => idle.push(resolve))
  }
}
