import type { Calls } from './calls.ts'
import type { FanOut } from './fan-out.ts'
import type { Log } from './log.ts'
import type { Timers } from './timers.ts'
import type {
  Errors,
  Hub,
  HubControl,
  JsonText,
  Positions,
  Primordials,
  Realm,
  RealmControl,
  RealmOptions,
  Tracking,
} from './types.ts'

/** The functions a realm is put together from; each stands alone, so that its text can be moved. */
export interface RealmParts {
  capturePrimordials(): Primordials
  createHub(p: Primordials): HubControl
  createPositions(p: Primordials, source: string, lineOneShift: number): Positions
  createErrors(p: Primordials, file: string, positions: Positions): Errors
  createTracking(p: Primordials): Tracking
  createJsonText(p: Primordials, errors: Errors): (value: unknown, root: string) => JsonText
  createCalls(realm: Realm): Calls
  createFanOut(realm: Realm): FanOut
  createTimers(realm: Realm): Timers
  createLog(realm: Realm): Log
  removeNondeterminism(p: Primordials): void
  fixLocale(p: Primordials): void
}

/** Name of a global → the group that it is made with on first use: most scripts need none. */
export type LazyGlobals = Record<string, string>

interface RealmInput {
  /** JSON of RealmOptions. */
  optionsText: string
  /** JSON: group → text of a function that gives its globals. */
  lazyText: string
  /** The hub of the top script; absent there. */
  hub: Hub | undefined
}

/**
 * Runs in the engine, once per script: makes its globals and the two functions that start it. The script can
 * reach nothing here but the globals. Without a hub it is the top script, and makes it.
 */
export function installRealm(parts: RealmParts, lazyGlobals: LazyGlobals, input: RealmInput): RealmControl {
  const p = parts.capturePrimordials()
  const options = p.parse(input.optionsText) as RealmOptions
  const { child } = options
  const hub = input.hub ?? parts.createHub(p)
  const positions = parts.createPositions(p, options.source, options.lineOneShift)
  const errors = parts.createErrors(p, options.file, positions)
  const tracking = parts.createTracking(p)
  const toJson = parts.createJsonText(p, errors)
  let ended = false
  let thrown = false

  const realm: Realm = {
    options,
    pathText: p.stringify(options.path) as string,
    p,
    hub,
    errors,
    tracking,
    toJson,
    ended: () => ended,
    fail: error => {
      if (!ended) endThrown(error)
    },
    phase: undefined,
  }

  function endReturned(value: unknown): void {
    if (ended) return
    try {
      const { text, problem } = toJson(value, 'result')
      ended = true
      if (child === undefined) {
        const value = text === undefined ? '' : ',"value":' + text
        const error = problem === undefined ? '' : ',"resultError":' + p.stringify(problem)
        hub.end('{"status":"returned"' + value + error + '}')
      } else {
        if (problem !== undefined)
          note('The result of the workflow "' + child.name + '" is not JSON: ' + problem)
        hub.settle(child.callId, true, text ?? '')
      }
    } catch (error) {
      endThrown(error)
    }
  }

  function endThrown(error: unknown): void {
    ended = true
    thrown = true
    try {
      if (child !== undefined) endChildThrown(child.callId, child.name, error)
      else if (errors.isOutOfMemory(error)) hub.end('memory')
      else if (error === null) hub.end('null')
      else hub.end('{"status":"threw","error":' + errors.toText(error) + '}')
    } catch {
      // Only the engine itself fails here: nothing is left to say it with.
      hub.end('memory')
    }
  }

  function endChildThrown(callId: number, name: string, error: unknown): void {
    const cause = errors.toText(error)
    const message = 'The workflow "' + name + '" failed: ' + errors.brief(error)
    const own = '{"name":"ChildWorkflowError","code":"child-failed","message":' + p.stringify(message)
    hub.settle(callId, false, errors.isRunLevel(error) ? cause : own + ',"cause":' + cause + '}')
  }

  function note(message: string): void {
    hub.emit('{"type":"log","path":' + realm.pathText + ',"message":' + p.stringify(message) + '}')
  }

  /** No job is left: a rejection that nobody has taken by now fails the script. */
  function endUnhandled(): boolean {
    if (thrown || (ended && child !== undefined)) return false
    const missed = tracking.firstUnhandled()
    if (missed === undefined) return false
    const { label, place, reason } = missed
    if (errors.isRunLevel(reason) || errors.isOutOfMemory(reason)) {
      endThrown(reason)
      return true
    }
    const error = errors.fromData(
      {
        name: 'ScriptError',
        code: 'unhandled-rejection',
        message: label + '() rejected and nobody handled it: ' + errors.brief(reason),
        hint: 'Await it, or add a .catch().',
      },
      label,
      place,
    )
    p.hide(error, 'cause', reason)
    endThrown(error)
    return true
  }

  function defineGlobals(): void {
    const calls = parts.createCalls(realm)
    const fanOut = parts.createFanOut(realm)
    const timers = parts.createTimers(realm)
    const { log, phase } = parts.createLog(realm)
    const { budgetTotal } = options
    const budget = {
      total: budgetTotal,
      spent: () => hub.spent(),
      remaining: () => {
        const left = budgetTotal === null ? Infinity : budgetTotal - hub.spent()
        return left < 0 ? 0 : left
      },
    }
    const ask = (): never => {
      throw new p.NativeError('ask() is not available in this version.')
    }
    const { agent, settled } = calls
    p.hide(agent, 'settled', settled)
    const globals = {
      agent,
      parallel: fanOut.parallel,
      pipeline: fanOut.pipeline,
      workflow: calls.workflow,
      ask,
      phase,
      log,
      console: { log, info: log, warn: log, error: log, debug: log },
      args: deepFreeze(p.hasOwn(options, 'args') ? options.args : undefined),
      budget: p.freeze(budget),
      run: p.freeze(options.run),
      setTimeout: timers.setTimeout,
      clearTimeout: timers.clearTimeout,
      queueMicrotask: timers.queueMicrotask,
    }
    for (const name of p.keys(globals)) p.hide(globalThis, name, globals[name as keyof typeof globals])
    for (const name of p.keys(lazyGlobals)) defineLazy(name, lazyGlobals[name] as string)
  }

  function makeGroup(group: string): Record<string, unknown> {
    const text = (p.parse(input.lazyText) as Record<string, string>)[group] as string
    return (p.evaluate('"use strict";(' + text + ')') as () => Record<string, unknown>)()
  }

  function defineLazy(name: string, group: string): void {
    const replace = (value: unknown): void => {
      p.hide(globalThis, name, value)
    }
    p.defineProperty(globalThis, name, {
      get: () => {
        const made = makeGroup(group)
        const keys = p.keys(made)
        for (let i = 0; i < keys.length; i++) p.hide(globalThis, keys[i] as string, made[keys[i] as string])
        return made[name]
      },
      set: replace,
      enumerable: false,
      configurable: true,
    })
  }

  function deepFreeze(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    for (const key of p.keys(value)) deepFreeze((value as Record<string, unknown>)[key])
    return p.freeze(value)
  }

  parts.removeNondeterminism(p)
  parts.fixLocale(p)
  defineGlobals()
  hub.onIdle(endUnhandled)

  return {
    hub,
    begin: main => {
      try {
        const result = main()
        // Without it `then` would ask the script's Promise.prototype.constructor.
        p.hide(result, 'constructor', undefined)
        p.then(result, endReturned, realm.fail)
      } catch (error) {
        endThrown(error)
      }
    },
    refuse: endThrown,
  }
}
