import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { createEngine, EngineFailure, PRELUDE_FILE, type Engine } from './engine.ts'
import { parseSettle, type ChildMessage, type FailureMessage, type OpenMessage } from './messages.ts'
import { PRELUDE_TEXT } from './prelude-text.ts'
import type { RealmOptions } from './prelude/types.ts'
import { wrapScript, type WrappedScript } from './wrap-script.ts'

/** The name of the top script in stack frames. */
const TOP_FILE = 'workflow.js'

/** The scripts of one run inside one engine. */
export interface ScriptVm {
  /** Takes a message and pumps; the answer is JSON of a PumpResult. Throws EngineFailure. */
  take(message: string): string
}

interface Realm {
  context: QuickJSContext
  control: QuickJSHandle
  hub: QuickJSHandle
}

/** Makes the engine and the realm of the top script, which has not begun. */
export async function openScriptVm(options: OpenMessage): Promise<ScriptVm> {
  const engine = await createEngine(options.scriptMemoryMiB, options.scriptCpuMs)
  const wrapped = wrapScript(options.source)
  const common = { run: options.run, budgetTotal: options.budgetTotal, entries: options.entries }
  const top = openRealm(engine, {
    ...common,
    ...positions(wrapped, TOP_FILE),
    path: '',
    ...(options.args === undefined ? {} : { args: options.args }),
  })
  const { context } = top
  const [resolve, reject, idle, drain] = ['resolve', 'reject', 'idle', 'drain'].map((name) =>
    context.getProp(top.hub, name),
  ) as [QuickJSHandle, QuickJSHandle, QuickJSHandle, QuickJSHandle]

  function settle(callee: QuickJSHandle, message: string): void {
    const { id, spent, json } = parseSettle(message)
    const args = [context.newNumber(id), context.newNumber(spent), engine.newText(context, json)]
    engine.call(context, callee, args).dispose()
    for (const arg of args) arg.dispose()
  }

  function startChild(child: ChildMessage): void {
    const script = wrapScript(child.source)
    const realm = openRealm(
      engine,
      {
        ...common,
        ...positions(script, childFile(child.name)),
        path: child.path,
        child: { callId: child.id, name: child.name },
        ...(child.args === undefined ? {} : { args: child.args }),
      },
      top.hub,
    )
    begin(engine, realm, script.code, childFile(child.name))
  }

  function pump(): string {
    do engine.runJobs()
    while (isTrue(context, engine.call(context, idle, [])))
    const handle = engine.call(context, drain, [])
    const text = context.getString(handle)
    handle.dispose()
    if (text === 'memory' || (text.startsWith('?') && engine.wasFull())) throw new EngineFailure('memory')
    return text.startsWith('?') ? text.slice(1) : text
  }

  return {
    take: (message) => {
      engine.fuel.refill()
      const kind = message[0]
      if (kind === 's') begin(engine, top, wrapped.code, TOP_FILE)
      else if (kind === 'v') settle(resolve, message)
      else if (kind === 'e') settle(reject, message)
      else startChild(JSON.parse(message.slice(1)) as ChildMessage)
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

function openRealm(engine: Engine, options: RealmOptions, hub?: QuickJSHandle): Realm {
  const context = engine.newContext()
  const install = engine.evaluate(context, PRELUDE_TEXT, PRELUDE_FILE)
  const optionsText = engine.newText(context, JSON.stringify(options))
  const control = engine.call(context, install, hub === undefined ? [optionsText] : [optionsText, hub])
  return { context, control, hub: context.getProp(control, 'hub') }
}

function begin(engine: Engine, realm: Realm, code: string, file: string): void {
  const { context, control } = realm
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

function isTrue(context: QuickJSContext, handle: QuickJSHandle): boolean {
  const answer = context.dump(handle) === true
  handle.dispose()
  return answer
}
