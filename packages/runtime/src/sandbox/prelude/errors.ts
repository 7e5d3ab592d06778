import type { ErrorData, Errors, Positions, Primordials } from './types.ts'

/**
 * Runs in the engine. Errors of the host as real errors of the realm, errors of the script as data, and
 * positions in the user's own file. Nothing in here may throw for what a script made of its objects.
 */
export function createErrors(p: Primordials, file: string, positions: Positions): Errors {
  const MAX_MESSAGE = 16_384
  const MAX_FRAMES = 20
  const MAX_CAUSES = 5
  const { NativeError } = p
  /** Errors that came from the host, with their data. Membership cannot be forged. */
  const genuine = p.newWeakMap<object, { runLevel: boolean; stack: string }>()

  /** The frames of the user's file in an engine stack, one a line. */
  function userFrames(stack: string, limit: number): string {
    let frames = ''
    let count = 0
    let start = 0
    while (start < stack.length && count < limit) {
      let end = p.indexOf(stack, '\n', start)
      if (end < 0) end = stack.length
      const line = p.slice(stack, start, end)
      start = end + 1
      const mark = p.indexOf(line, file + ':')
      if (mark < 1) continue
      const before = p.charCodeAt(line, mark - 1)
      if (before !== 40 && before !== 32) continue
      const close = p.indexOf(line, ')', mark)
      const place =
        file +
        ':' +
        positions.translate(p.slice(line, mark + file.length + 1, close < 0 ? line.length : close))
      const name = before === 40 ? p.slice(line, 7, mark - 2) : ''
      const named = name !== '' && name !== '<anonymous>'
      frames += (count++ === 0 ? '' : '\n') + 'at ' + (named ? name + ' (' + place + ')' : place)
    }
    return frames
  }

  function place(): string | undefined {
    const stack = new NativeError().stack ?? ''
    const mark = p.indexOf(stack, '(' + file + ':')
    if (mark < 0) return undefined
    const close = p.indexOf(stack, ')', mark)
    return file + ':' + positions.translate(p.slice(stack, mark + file.length + 2, close))
  }

  function isRunLevelCode(code: unknown): boolean {
    return code === 'agent-limit' || code === 'budget' || code === 'run-stopped'
  }

  function fromData(data: ErrorData, label: string, at: string | undefined): Error {
    const Type = p.hasOwn(p.errorTypes, data.name) ? p.errorTypes[data.name] : undefined
    const error = new (Type ?? NativeError)(data.message)
    const call = at === undefined ? '' : 'at ' + label + ' (' + at + ')'
    const own = p.hasOwn(data, 'stack') && data.stack !== undefined ? data.stack : ''
    const stack = call !== '' && own !== '' ? call + '\n' + own : call + own
    p.hide(error, 'name', data.name)
    p.hide(error, 'stack', stack)
    if (p.hasOwn(data, 'data') && data.data !== undefined) {
      const extra = data.data
      const names = p.keys(extra)
      for (let i = 0; i < names.length; i++) {
        const name = names[i]
        if (name !== undefined && name !== 'stack' && name !== 'cause') p.put(error, name, extra[name])
      }
    }
    if (p.hasOwn(data, 'code')) p.put(error, 'code', data.code)
    if (p.hasOwn(data, 'hint')) p.put(error, 'hint', data.hint)
    if (p.hasOwn(data, 'cause') && data.cause !== undefined) {
      p.hide(error, 'cause', fromData(data.cause, '', undefined))
    }
    p.weakSet(genuine, error, {
      runLevel: isRunLevelCode(p.hasOwn(data, 'code') ? data.code : undefined),
      stack,
    })
    return error
  }

  /** A property of anything, if it is a string. */
  function text(value: object, key: string): string | undefined {
    try {
      const found = (value as Record<string, unknown>)[key]
      return typeof found === 'string' ? p.slice(found, 0, MAX_MESSAGE) : undefined
    } catch {
      return undefined
    }
  }

  function isError(value: object): boolean {
    try {
      return value instanceof NativeError
    } catch {
      return false
    }
  }

  function plain(thrown: unknown): string {
    try {
      const json = typeof thrown === 'object' ? p.stringify(thrown) : undefined
      return p.slice(json ?? p.toText(thrown), 0, MAX_MESSAGE)
    } catch {
      return 'a value that cannot be shown'
    }
  }

  function describe(thrown: unknown, depth: number): string {
    if (isOutOfMemory(thrown)) {
      return '{"name":"ScriptMemoryError","code":"script-memory","message":"out of memory"}'
    }
    if (typeof thrown !== 'object' || thrown === null) {
      const message =
        typeof thrown === 'string' ? p.slice(thrown, 0, MAX_MESSAGE) : plain(thrown) + ' was thrown'
      return '{"name":"Error","message":' + p.stringify(message) + '}'
    }
    const known = p.weakGet(genuine, thrown)
    const message = text(thrown, 'message')
    const error = isError(thrown) || message !== undefined
    const code = text(thrown, 'code')
    const stack = known?.stack ?? userFrames(text(thrown, 'stack') ?? '', MAX_FRAMES)
    let json = '{"name":' + p.stringify((error ? text(thrown, 'name') : undefined) ?? 'Error')
    json += ',"message":' + p.stringify(error ? (message ?? '') : plain(thrown) + ' was thrown')
    // A run-level code is the run's word; a script cannot take it into its mouth.
    if (code !== undefined && (known !== undefined || !isRunLevelCode(code)))
      json += ',"code":' + p.stringify(code)
    const hint = text(thrown, 'hint')
    if (hint !== undefined) json += ',"hint":' + p.stringify(hint)
    if (stack !== '') json += ',"stack":' + p.stringify(stack)
    const cause = causeOf(thrown)
    if (cause !== undefined && depth < MAX_CAUSES) json += ',"cause":' + describe(cause, depth + 1)
    return json + '}'
  }

  function causeOf(thrown: object): unknown {
    try {
      return (thrown as { cause?: unknown }).cause
    } catch {
      return undefined
    }
  }

  function isOutOfMemory(thrown: unknown): boolean {
    if (typeof thrown !== 'object' || thrown === null) return false
    return text(thrown, 'name') === 'InternalError' && text(thrown, 'message') === 'out of memory'
  }

  return {
    place,
    fromData,
    toText: thrown => describe(thrown, 0),
    brief: thrown => {
      if (typeof thrown !== 'object' || thrown === null)
        return typeof thrown === 'string' ? thrown : plain(thrown)
      return text(thrown, 'message') ?? plain(thrown)
    },
    inputError: message => {
      const error = new NativeError(message)
      p.hide(error, 'name', 'WorkflowInputError')
      p.put(error, 'code', 'option-invalid')
      return error
    },
    isRunLevel: thrown =>
      typeof thrown === 'object' && thrown !== null && p.weakGet(genuine, thrown)?.runLevel === true,
    isOutOfMemory,
  }
}
