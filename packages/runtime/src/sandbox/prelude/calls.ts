import type { ErrorData, Realm, Ticket } from './types.ts'

export interface Calls {
  agent(this: void, prompt?: unknown, options?: unknown): Promise<unknown>
  settled(this: void, prompt?: unknown, options?: unknown): Promise<unknown>
  workflow(this: void, ref?: unknown, args?: unknown): Promise<unknown>
}

/** Runs in the engine. The primitives whose work is done outside. */
export function createCalls(realm: Realm): Calls {
  const { p, hub, errors, tracking, pathText } = realm
  const nested = realm.options.child !== undefined

  function agent(prompt: unknown, options: unknown, settled: boolean): Promise<unknown> {
    const ticket = tracking.open(settled ? 'agent.settled' : 'agent', errors.place())
    try {
      send('agent', ticket, agentFields(prompt, options, settled))
    } catch (error) {
      ticket.reject(error)
    }
    return ticket.promise
  }

  function workflow(ref: unknown, args: unknown): Promise<unknown> {
    const ticket = tracking.open('workflow', errors.place())
    try {
      send('workflow', ticket, workflowFields(ref, args))
    } catch (error) {
      ticket.reject(error)
    }
    return ticket.promise
  }

  function send(type: string, ticket: Ticket, fields: string): void {
    if (realm.ended()) return
    const id = hub.nextId()
    hub.expect(id, (ok, text) => {
      if (!realm.ended()) settle(ticket, ok, text)
    })
    const at = ticket.place === undefined ? '' : ',"place":' + p.stringify(ticket.place)
    hub.emit('{"type":"' + type + '","id":' + id + ',"path":' + pathText + fields + at + '}')
  }

  function settle(ticket: Ticket, ok: boolean, text: string): void {
    let value: unknown
    try {
      value = text === '' ? undefined : p.parse(text)
      if (!ok) value = errors.fromData(value as ErrorData, ticket.label, ticket.place)
    } catch (error) {
      ticket.reject(error)
      return
    }
    if (ok) ticket.resolve(value)
    else ticket.reject(value)
  }

  function agentFields(prompt: unknown, options: unknown, settled: boolean): string {
    const phase = realm.phase === undefined ? '' : ',"phase":' + p.stringify(realm.phase)
    const promptText = typeof prompt === 'string' ? p.stringify(prompt) : 'null'
    return ',"settled":' + settled + ',"prompt":' + promptText + ',"options":' + optionsText(options) + phase
  }

  function optionsText(options: unknown): string {
    if (options === undefined) return '{}'
    if (options === null || typeof options !== 'object' || p.isArray(options)) return 'null'
    const names = p.keys(options)
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      const kind = unfit((options as Record<string, unknown>)[name])
      if (kind !== undefined)
        throw errors.inputError('The option "' + name + '" is ' + kind + ', which JSON cannot hold.')
    }
    return must(options, 'options')
  }

  function unfit(value: unknown): string | undefined {
    if (typeof value === 'function') return 'a function'
    if (typeof value === 'symbol') return 'a symbol'
    if (typeof value === 'bigint') return 'a BigInt'
    if (typeof value === 'number' && !p.isFinite(value)) return p.toText(value)
    return undefined
  }

  function must(value: unknown, root: string): string {
    const { text, problem } = realm.toJson(value, root)
    if (problem !== undefined) throw errors.inputError(problem + '. Only JSON values leave the script.')
    return text ?? 'null'
  }

  function workflowFields(ref: unknown, args: unknown): string {
    if (nested) {
      throw new p.NativeError(
        'workflow() was called inside a child workflow, but workflows nest one level only. Call it from the top script.',
      )
    }
    const refText = ref === undefined ? 'null' : must(ref, 'ref')
    return ',"ref":' + refText + (args === undefined ? '' : ',"args":' + must(args, 'args'))
  }

  return {
    agent: (prompt, options) => agent(prompt, options, false),
    settled: (prompt, options) => agent(prompt, options, true),
    workflow: (ref, args) => workflow(ref, args),
  }
}
