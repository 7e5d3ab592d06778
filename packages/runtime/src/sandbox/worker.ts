import { parentPort } from 'node:worker_threads'
import type { OpenMessage } from './messages.ts'
import { describeFailure, openScriptVm, type ScriptVm } from './script-vm.ts'

/**
 * Entry of the thread that holds one script engine. Built to a file of its own; only strings go in and out.
 */
// The engine asks the realm around it for the time and the time zone: neither may tell a script anything.
Reflect.defineProperty(Date.prototype, 'getTimezoneOffset', { value: () => 0 })
Reflect.defineProperty(Date, 'now', { value: () => 0 })

let vm: ScriptVm | undefined

function take(message: string): void {
  try {
    if (vm !== undefined) parentPort?.postMessage(vm.take(message))
  } catch (error) {
    fail(error)
  }
}

function open(message: string): void {
  openScriptVm(JSON.parse(message.slice(1)) as OpenMessage).then(opened => {
    vm = opened
    parentPort?.postMessage('r')
  }, fail)
}

function fail(error: unknown): void {
  parentPort?.postMessage(`f${JSON.stringify(describeFailure(error))}`)
}

parentPort?.on('message', (message: string) => {
  if (message.startsWith('o')) open(message)
  else take(message)
})
