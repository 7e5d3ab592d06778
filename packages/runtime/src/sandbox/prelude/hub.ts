import type { HubControl, Primordials, Receive } from './types.ts'

/**
 * Runs in the engine, once. The meeting point of all realms: who waits for what, and the effects of all of
 * them in one order. Effects are JSON texts built by the prelude, so no patched built-in can forge one.
 */
export function createHub(p: Primordials): HubControl {
  const waiting = p.newMap<number, Receive>()
  const checks = p.bareList<() => boolean>()
  let effects = p.bareList<string>()
  let lastId = 0
  let spentSoFar = 0
  let state = '{"status":"waiting"}'

  /** `v` */
  const VALUE = 118
  const NULL_THROWN = '{"status":"threw","error":{"name":"Error","message":"null was thrown"}}'

  function message(effectTexts: string, stateText: string): string {
    return '{"effects":[' + effectTexts + '],"state":' + stateText + '}'
  }

  function settle(id: number, ok: boolean, text: string): void {
    const receive = p.mapGet(waiting, id)
    if (receive === undefined) return
    p.mapDelete(waiting, id)
    receive(ok, text)
  }

  function receive(text: string): void {
    // What the engine could not allocate does not arrive as a string.
    if (typeof text !== 'string') {
      state = 'memory'
      return
    }
    const first = p.indexOf(text, ' ')
    const second = p.indexOf(text, ' ', first + 1)
    spentSoFar = p.toNumber(p.slice(text, first + 1, second))
    const ok = p.charCodeAt(text, 0) === VALUE
    settle(p.toNumber(p.slice(text, 1, first)), ok, p.slice(text, second + 1))
  }

  /** Children come after the top in the list and are asked first: their failures enter the top script. */
  function checkRealms(): boolean {
    for (let i = checks.length - 1; i >= 0; i--) {
      if (checks[i]?.()) return true
    }
    return false
  }

  return {
    nextId: () => ++lastId,
    emit: effect => {
      effects[effects.length] = effect
    },
    expect: (id, receive) => {
      p.mapSet(waiting, id, receive)
    },
    forget: id => {
      p.mapDelete(waiting, id)
    },
    spent: () => spentSoFar,
    settle,
    onIdle: check => {
      checks[checks.length] = check
    },
    end: newState => {
      state = newState
    },
    receive,
    drain: () => {
      if (checkRealms()) return ''
      if (state === 'memory') return state
      const text = p.join(effects, ',')
      effects = p.bareList()
      return state === 'null' ? '?' + message(text, NULL_THROWN) : message(text, state)
    },
  }
}
