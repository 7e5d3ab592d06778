import type { FrameStamp } from '@tutti/protocol'
import type { Random } from '@tutti/runtime'

/** A version 4 UUID. */
export function randomUuid(random: Random): string {
  const bytes = Uint8Array.from(random.bytes(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** What every frame of a session carries. */
export function stamp(sessionId: string, random: Random): FrameStamp {
  return { uuid: randomUuid(random), session_id: sessionId }
}
