import type { Random } from '../ports/random.ts'

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz'

/** `wf_` + 8 hex + `-` + 3 hex. */
export function newRunId(random: Random): string {
  const hex = toHex(random.bytes(6))
  return `wf_${hex.slice(0, 8)}-${hex.slice(8, 11)}`
}

/** `w` + 8 of `0-9a-z`. */
export function newTaskId(random: Random): string {
  return `w${Array.from({ length: 8 }, () => BASE36[Math.floor(random.next() * 36)]).join('')}`
}

/** `a` + 16 hex. */
export function newTranscriptId(random: Random): string {
  return `a${toHex(random.bytes(8))}`
}

/** A random lower-case UUID, version 4. */
export function newSessionId(random: Random): string {
  const bytes = random.bytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = toHex(bytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
