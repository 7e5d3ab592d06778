import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { createEngine, EngineFailure, PRELUDE_FILE, type Engine } from './engine.ts'
import type { ChildMessage, FailureMessage, OpenMessage } from './messages.ts'
import { LAZY_TEXT, PRELUDE_TEXT } from './prelude-text.ts'
import type { RealmOptions } from './prelude/types.ts'
import { wrapScript, type WrappedScript } from './wrap-script.ts'

/** The name of the top script in stack frames. */
const TOP_FILE = 'workflow.js'

/** The answer of a pump in which the script did nothing. */
export const IDLE = '{"effects":[],"state":{"status":"waiting"}}'

/** The scripts of one run inside one engine. */
export interface ScriptVm {
  /** Takes a message and pumps; the answer is JSON of a PumpResult. Throws EngineFailure. */
  take(message: string): string
}

interface EmptyRealm {
  context: QuickJSContext
  /** The prelude's function. */
  install: QuickJSHandle
}

interface Realm {
  context: QuickJSContext
  control: QuickJSHandle
  hub: QuickJSHandle
  /** The script's name in stack frames. */
  file: string
}

/** An engine with an empty realm, which knows no script and no limits yet. */
export interface PreparedEngine {
  engine: Engine
  realm: EmptyRealm
}

/** Makes an engine ahead of time, for scripts with at most so much memory. */
export async function prepareEngine(forMemoryMiB: number): Promise<PreparedEngine> {
  const engine = await createEngine(forMemoryMiB)
  return { engine, realm: emptyRealm(engine) }
}

/** Makes the realm of the top script, which does not begin yet. */
export function openScriptVm({ engine, realm }: PreparedEngine, options: OpenMessage): ScriptVm {
  engine.limit(options)
  const wrapped = wrapScript(options.source)
  const common = { run: options.run, budgetTotal: options.budgetTotal, entries: options.entries }
  const top = openRealm(engine, realm, {
    ...common,
    ...positions(wrapped, TOP_FILE),
    path: '',
    ...(options.args === undefined ? {} : { args: options.args }),
  })
  const { context } = top
  const receive = context.getProp(top.hub, 'receive')
  const drain = context.getProp(top.hub, 'drain')

  function settle(message: string): void {
    const text = engine.newText(context, message)
    engine.call(context, receive, [text]).dispose()
    text.dispose()
  }

  function startChild(child: ChildMessage): void {
    const script = wrapScript(child.source)
    const opened = openRealm(engine, emptyRealm(engine), {
      ...common,
      ...positions(script, childFile(child.name)),
      hub: top.hub,
      path: child.path,
      child: { callId: child.id, name: child.name },
      ...(child.args === undefined ? {} : { args: child.args }),
    })
    begin(engine, opened, script.code)
  }

  function pump(): string {
    for (;;) {
      engine.runJobs()
      const handle = engine.call(context, drain, [])
      const text = context.getString(handle)
      handle.dispose()
      if (text === 'memory' || (text.startsWith('?') && engine.wasFull())) throw new EngineFailure('memory')
      if (text !== '') return text.startsWith('?') ? text.slice(1) : text
    }
  }

  return {
    take: message => {
      engine.refill()
      if (message === 's') begin(engine, top, wrapped.code)
      else if (message.startsWith('c')) startChild(JSON.parse(message.slice(1)) as ChildMessage)
      else settle(message)
      return pump()
    },
  }
}

/** What went wrong, as data for the host. */
export function describeFailure(error: unknown): FailureMessage {
  if (!(error instanceof EngineFailure)) return { kind: 'crash', message: String(error) }
  const { kind, message, place } = error
  return { kind, ...(message === '' ? {} : { message }), ...(place === undefined ? {} : { place }) }
}

function emptyRealm(engine: Engine): EmptyRealm {
  const context = engine.newContext()
  return { context, install: engine.evaluate(context, PRELUDE_TEXT, PRELUDE_FILE) }
}

/** Without a hub in `options` it makes its own. */
function openRealm(
  engine: Engine,
  { context, install }: EmptyRealm,
  { hub, ...options }: RealmOptions & { hub?: QuickJSHandle },
): Realm {
  const optionsText = engine.newText(context, JSON.stringify(options))
  const lazyText = engine.newText(context, LAZY_TEXT)
  const control = engine.call(context, install, [optionsText, lazyText, hub ?? context.undefined])
  return { context, control, hub: context.getProp(control, 'hub'), file: options.file }
}

function begin(engine: Engine, { context, control, file }: Realm, code: string): void {
  const compiled = context.evalCode(code, file, { strict: true })
  const next = context.getProp(control, compiled.error === undefined ? 'begin' : 'refuse')
  engine.call(context, next, [compiled.error ?? compiled.value]).dispose()
}

function positions(
  script: WrappedScript,
  file: string,
): Pick<RealmOptions, 'file' | 'source' | 'lineOneShift'> {
  return { file, source: script.text, lineOneShift: script.lineOneShift }
}

/** The name of a child in stack frames; never that of the top script. */
function childFile(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]/g, '_').replace(/\.m?js$/, '')
  return safe === 'workflow' ? 'child-workflow.js' : `${safe}.js`
}
