import { parentPort } from 'node:worker_threads'
import { TURN_MS, type OpenMessage } from './messages.ts'
import {
  describeFailure,
  IDLE,
  openScriptVm,
  prepareEngine,
  type PreparedEngine,
  type ScriptVm,
} from './script-vm.ts'

/**
 * Entry of the thread that holds one script engine. Built to a file of its own; only strings go in and out.
 */
// The engine asks the realm around it for the time and the time zone: neither may tell a script anything.
Reflect.defineProperty(Date.prototype, 'getTimezoneOffset', { value: () => 0 })
Reflect.defineProperty(Date, 'now', { value: () => 0 })

/** The default of the limit: an engine for it is made while the script is still being read. */
const USUAL_MEMORY_MIB = 128

const spare = prepareEngine(USUAL_MEMORY_MIB)
// Without it the engine is made anew, and that failure is reported.
spare.catch(() => undefined)

let vm: ScriptVm | undefined

async function open(message: string): Promise<void> {
  try {
    const options = JSON.parse(message.slice(1)) as OpenMessage
    vm = openScriptVm(await engineFor(options.scriptMemoryMiB), options)
    parentPort?.postMessage('r')
  } catch (error) {
    fail(error)
  }
}

function engineFor(memoryMiB: number): Promise<PreparedEngine> {
  const enough = memoryMiB <= USUAL_MEMORY_MIB
  return enough ? spare.catch(() => prepareEngine(memoryMiB)) : prepareEngine(memoryMiB)
}

function take(message: string): void {
  try {
    if (vm === undefined) return
    parentPort?.postMessage(message.startsWith('m') ? takeInTurn(vm, message) : vm.take(message))
  } catch (error) {
    fail(error)
  }
}

/** Until the script does something, or for long enough. */
function takeInTurn(script: ScriptVm, list: string): string {
  const messages = JSON.parse(list.slice(1)) as string[]
  const until = performance.now() + TURN_MS
  let taken = 0
  let result = IDLE
  for (const message of messages) {
    result = script.take(message)
    taken++
    if (result !== IDLE || performance.now() > until) break
  }
  return `t${taken} ${result}`
}

function fail(error: unknown): void {
  parentPort?.postMessage(`f${JSON.stringify(describeFailure(error))}`)
}

parentPort?.on('message', (message: string) => {
  if (message.startsWith('o')) void open(message)
  else take(message)
})
