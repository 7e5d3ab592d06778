import release from '@jitl/quickjs-wasmfile-release-sync'
import {
  type CustomizeVariantOptions,
  type EmscriptenModuleLoader,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSEmscriptenModule,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { createFuel } from './fuel.ts'

/** Stands for the prelude in the engine's stack frames. */
export const PRELUDE_FILE = 'tutti'

const PAGE = 65_536
const MIB = 1_048_576
/** The engine counts small objects at less than a quarter of what they take. */
const HEAP_PER_LIMIT = 4.6
const HEAP_BASE_MIB = 16
/** What the engine's module can address. */
const MAX_HEAP_MIB = 2048
/** Deeper recursion ends as an error of the script; needs the thread's larger stack. */
const MAX_STACK_BYTES = 256 * 1024
/** Jobs run between two looks at the fuel. */
const JOB_BATCH = 250
/** Above it, room is made sure of before text goes in. */
const LARGE_TEXT = 65_536

/** Something inside the engine that it cannot recover from. */
export class EngineFailure extends Error {
  readonly kind: 'timeout' | 'memory' | 'crash'
  /** Where the script was, if that is known. */
  readonly place: string | undefined

  constructor(kind: 'timeout' | 'memory' | 'crash', message = '', place?: string) {
    super(message)
    this.kind = kind
    this.place = place
  }
}

export interface EngineLimits {
  scriptMemoryMiB: number
  scriptCpuMs: number
}

/** One WebAssembly instance with its heap, limits and fuel; it is never disposed, its thread ends. */
export interface Engine {
  /** Begins a stretch of script with full fuel. */
  refill(): void
  /** Until then there are none. The memory may not exceed what the engine was made for. */
  limit(limits: EngineLimits): void
  newContext(): QuickJSContext
  /** Runs jobs until none is left. */
  runJobs(): void
  /** Calls a function of the engine. Throws EngineFailure for anything it throws. */
  call(context: QuickJSContext, callee: QuickJSHandle, args: QuickJSHandle[]): QuickJSHandle
  /** Evaluates code of the prelude. */
  evaluate(context: QuickJSContext, code: string, file: string): QuickJSHandle
  newText(context: QuickJSContext, text: string): QuickJSHandle
  /** Whether the heap was ever used up to the limit. */
  wasFull(): boolean
}

type CallResult = ReturnType<QuickJSContext['callFunction']>

/** The package's types describe its CommonJS build, where the variant lies one level deeper. */
const RELEASE = release as unknown as QuickJSSyncVariant

type WasmMemoryOption = CustomizeVariantOptions['wasmMemory']

interface WasmMemory {
  readonly buffer: ArrayBuffer
}

/** Not in the types of Node. */
const { Memory } = (
  globalThis as unknown as {
    WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => WasmMemory }
  }
).WebAssembly

type ModuleLoader = EmscriptenModuleLoader<QuickJSEmscriptenModule>
type RawModule = Awaited<ReturnType<ModuleLoader>>

/** Makes an engine that may be given up to so much memory. */
export async function createEngine(forMemoryMiB: number): Promise<Engine> {
  const heapMiB = Math.min(MAX_HEAP_MIB, Math.ceil(forMemoryMiB * HEAP_PER_LIMIT) + HEAP_BASE_MIB)
  const pages = (heapMiB * MIB) / PAGE
  // A heap of fixed size: the engine mishandles one that grows while it runs jobs.
  const memory = new Memory({ initial: pages, maximum: pages })
  let raw: RawModule | undefined
  const variant: QuickJSSyncVariant = {
    ...RELEASE,
    importModuleLoader: async () => {
      const load = (await RELEASE.importModuleLoader()) as ModuleLoader
      return async options => (raw = await load(options))
    },
  }
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmMemory: memory as unknown as WasmMemoryOption }),
  )
  const runtime: QuickJSRuntime = module.newRuntime()
  runtime.setMaxStackSize(MAX_STACK_BYTES)
  let memoryBytes = heapMiB * MIB
  let fuel = createFuel(Infinity)
  let readStack: (() => string) | undefined
  let place: string | undefined

  runtime.setInterruptHandler(() => {
    if (fuel.exhausted()) return true
    if (!fuel.poll()) return false
    place = lastPlace(readStack?.() ?? '')
    return true
  })

  function check(): void {
    if (fuel.exhausted()) throw new EngineFailure('timeout', '', place)
  }

  function valueOf(context: QuickJSContext, result: CallResult): QuickJSHandle {
    check()
    if (result.error !== undefined) throw failureOf(context, result.error)
    return result.value
  }

  function failureOf(context: QuickJSContext, error: QuickJSHandle): EngineFailure {
    // Looking at the error takes memory too.
    runtime.setMemoryLimit(-1)
    const thrown = context.dump(error) as { name?: unknown; message?: unknown } | string | null
    if (thrown === null || typeof thrown !== 'object' || thrown.message === 'out of memory') {
      return new EngineFailure('memory')
    }
    return new EngineFailure('crash', `${String(thrown.name)}: ${String(thrown.message)}`)
  }

  return {
    refill: () => {
      fuel.refill()
    },
    limit: ({ scriptMemoryMiB, scriptCpuMs }) => {
      memoryBytes = Math.min(MAX_HEAP_MIB, scriptMemoryMiB) * MIB
      runtime.setMemoryLimit(memoryBytes)
      fuel = createFuel(scriptCpuMs)
    },
    newContext: () => {
      const context = runtime.newContext()
      readStack ??= stackReader(context)
      return context
    },
    runJobs: () => {
      for (;;) {
        const result = runtime.executePendingJobs(JOB_BATCH)
        check()
        if (result.error !== undefined) throw failureOf(result.error.context, result.error)
        fuel.spendJobs(result.value)
        check()
        if (result.value < JOB_BATCH) return
      }
    },
    call: (context, callee, args) => valueOf(context, context.callFunction(callee, context.undefined, args)),
    evaluate: (context, code, file) => valueOf(context, context.evalCode(code, file, { strict: true })),
    newText: (context, text) => {
      if (text.length > LARGE_TEXT && raw !== undefined) {
        const probe = raw._malloc(text.length * 3 + PAGE)
        if (probe === 0) throw new EngineFailure('memory')
        raw._free(probe)
      }
      return context.newString(text)
    },
    wasFull: () => isTouched(memory, memoryBytes),
  }
}

/** Reads the engine's stack, also from within an interrupt. */
function stackReader(context: QuickJSContext): () => string {
  const reader = context.unwrapResult(
    context.evalCode('()=>new Error().stack', PRELUDE_FILE, { strict: true }),
  )
  return () => {
    const result = context.callFunction(reader, context.undefined)
    return result.error === undefined ? context.getString(result.value) : ''
  }
}

/**
 * The innermost known place of a script. In a frame that is cut short the engine knows the last call made there,
 * or nothing, which it shows as 1:1.
 */
function lastPlace(stack: string): string | undefined {
  const [, place] = /\(([^\s()]+\.js:(?!1:1\))\d+:\d+)\)$/m.exec(stack) ?? []
  return place
}

/** Whether anything was ever written at or above `from`: a fixed heap begins as zeros and fills upwards. */
function isTouched(memory: WasmMemory, from: number): boolean {
  const words = new Uint32Array(memory.buffer)
  for (let i = Math.floor(from / 4); i < words.length; i += 256) {
    if (words[i] !== 0) return true
  }
  return false
}
