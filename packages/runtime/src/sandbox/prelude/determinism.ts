import type { Primordials } from './types.ts'

/**
 * Runs in the engine. Replaces everything that could answer differently the next time, on every path that
 * leads there: the globals, the constructors behind prototypes, and the realm's own copies.
 */
export function removeNondeterminism(p: Primordials): void {
  const { NativeDate, NativeError } = p
  const global = globalThis as unknown as Record<string, unknown>

  function refuse(what: string, instead: string): never {
    const error = new NativeError(
      what + ' is not available: a script must do the same again on a resume. ' + instead,
    )
    p.hide(error, 'name', 'DeterminismError')
    throw error
  }

  const CLOCK = 'Use run.startedAt, or pass a time in args.'
  const CHANCE = 'Use an index in the prompt, or pass a seed in args.'
  const CODE = 'Write the code in the script.'
  const REFERENCE = 'What it answers depends on garbage collection; keep a plain reference.'

  function replaceDate(): void {
    const SafeDate = function Date(...args: unknown[]): unknown {
      if (!new.target) return refuse('Date()', CLOCK)
      if (args.length === 0) return refuse('new Date() without arguments', CLOCK)
      return p.construct(NativeDate, args, new.target)
    }
    p.defineProperty(SafeDate, 'prototype', { value: NativeDate.prototype, writable: false })
    p.defineProperty(SafeDate, 'length', { value: 7 })
    p.hide(SafeDate, 'UTC', NativeDate.UTC)
    p.hide(SafeDate, 'parse', NativeDate.parse)
    p.hide(SafeDate, 'now', { now: () => refuse('Date.now()', CLOCK) }.now)
    p.hide(NativeDate.prototype, 'constructor', SafeDate)
    p.hide(global, 'Date', SafeDate)
  }

  function replaceCodeGeneration(): void {
    const samples = [
      function sample() {},
      async function sample() {},
      function* sample() {},
      async function* sample() {},
    ]
    const names = ['Function', 'AsyncFunction', 'GeneratorFunction', 'AsyncGeneratorFunction']
    for (let i = 0; i < samples.length; i++) {
      const prototype = p.getPrototypeOf(samples[i] as object) as object
      const name = names[i] as string
      const Blocked = function () {
        refuse(name + '()', CODE)
      }
      p.defineProperty(Blocked, 'name', { value: name })
      p.defineProperty(Blocked, 'prototype', { value: prototype, writable: false })
      p.defineProperty(prototype, 'constructor', {
        value: Blocked,
        writable: true,
        enumerable: false,
        configurable: true,
      })
      if (i === 0) p.hide(global, 'Function', Blocked)
    }
    p.hide(global, 'eval', { eval: () => refuse('eval()', CODE) }.eval)
  }

  function block(name: string, instead: string): void {
    const Blocked = function () {
      refuse(name, instead)
    }
    p.defineProperty(Blocked, 'name', { value: name })
    p.hide(global, name, Blocked)
  }

  replaceDate()
  replaceCodeGeneration()
  p.hide(Math, 'random', { random: () => refuse('Math.random()', CHANCE) }.random)
  block('WeakRef', REFERENCE)
  block('FinalizationRegistry', REFERENCE)
  block('SharedArrayBuffer', 'Use an ArrayBuffer.')
  p.hide(global, 'Atomics', { wait: () => refuse('Atomics.wait()', 'Await an agent or a timer.') })
  p.hide(global, 'performance', { now: () => refuse('performance.now()', CLOCK) })
}
