import type { Realm } from './types.ts'

export interface Log {
  log(this: void, ...values: unknown[]): void
  phase(this: void, title?: unknown): void
}

/** Runs in the engine. */
export function createLog(realm: Realm): Log {
  const { p, hub, errors, pathText } = realm
  const MAX_MESSAGE = 65_536

  function show(value: unknown): string {
    if (typeof value === 'string') return value
    if (typeof value === 'function') return '[function]'
    if (typeof value === 'bigint') return p.toText(value) + 'n'
    if (value === null || typeof value !== 'object') return p.toText(value)
    try {
      if (value instanceof p.NativeError) return p.toText(value.name) + ': ' + errors.brief(value)
      return realm.toJson(value, 'value').text ?? 'undefined'
    } catch (error) {
      if (errors.isOutOfMemory(error)) throw error
      return '[object]'
    }
  }

  return {
    log: (...values) => {
      let message = ''
      for (let i = 0; i < values.length && message.length <= MAX_MESSAGE; i++) {
        message += (i === 0 ? '' : ' ') + show(values[i])
      }
      if (message.length > MAX_MESSAGE) message = p.slice(message, 0, MAX_MESSAGE) + '…'
      hub.emit('{"type":"log","path":' + pathText + ',"message":' + p.stringify(message) + '}')
    },
    phase: title => {
      if (typeof title !== 'string' || title === '') {
        throw new (p.errorTypes['TypeError'] as ErrorConstructor)(
          'phase() needs a title: a string that is not empty.',
        )
      }
      realm.phase = title
      hub.emit('{"type":"phase","path":' + pathText + ',"title":' + p.stringify(title) + '}')
    },
  }
}
