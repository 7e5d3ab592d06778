import { createHash } from 'node:crypto'
import type { Clock } from '@tutti/runtime'
import type { Endpoint } from '../model/endpoint.ts'
import { createGate, type Gate } from './gate.ts'

/** The gates of one program: one per account, whatever models and backends use it. */
export interface Governor {
  gateOf(endpoint: Endpoint): Gate
}

export function createGovernor(clock: Clock): Governor {
  const gates = new Map<string, Gate>()
  return {
    gateOf({ wire, baseUrl, apiKey, authToken }) {
      const credential = createHash('sha256')
        .update(authToken ?? apiKey ?? '')
        .digest('hex')
      const account = [wire, baseUrl, credential].join(' ')
      let gate = gates.get(account)
      if (!gate) {
        gate = createGate(clock)
        gates.set(account, gate)
      }
      return gate
    },
  }
}
