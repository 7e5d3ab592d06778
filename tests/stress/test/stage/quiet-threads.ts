import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

let open = 0
let watching = false

/** From now on questions to threads and their terminations are counted until they are through. */
function watch(): void {
  if (watching) return
  watching = true
  const { postMessage, terminate } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, ...args: Parameters<Worker['postMessage']>) {
    open++
    const done = (): void => {
      open--
      this.off('message', done)
      this.off('exit', done)
    }
    this.on('message', done)
    this.on('exit', done)
    return postMessage.apply(this, args)
  } as Worker['postMessage']
  Worker.prototype.terminate = async function (this: Worker) {
    open++
    return await terminate.call(this).finally(() => open--)
  }
}

/**
 * Resolves when no script is busy and all that waited for promises has run: whatever could go on by itself has
 * gone on. Makes an interleaving the same for the same seed.
 */
export async function quiet(): Promise<void> {
  watch()
  for (let still = 0; still < 3; ) {
    await turn()
    still = open === 0 ? still + 1 : 0
  }
}
