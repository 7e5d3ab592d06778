import type { Frame } from './recording.ts'

export function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textIn(frame: Frame | undefined, field: string): string | undefined {
  const value = frame?.[field]
  return typeof value === 'string' ? value : undefined
}

export function numberIn(frame: Frame | undefined, field: string): number | undefined {
  const value = frame?.[field]
  return typeof value === 'number' ? value : undefined
}

export function frameIn(frame: Frame | undefined, field: string): Frame | undefined {
  const value = frame?.[field]
  return isFrame(value) ? value : undefined
}

/** The objects of a list; undefined when there is no list. */
export function framesIn(frame: Frame | undefined, field: string): Frame[] | undefined {
  const value = frame?.[field]
  return Array.isArray(value) ? value.filter(isFrame) : undefined
}

/** The subtype of a `system` frame. */
export function systemSubtype(frame: Frame): string | undefined {
  return frame['type'] === 'system' ? textIn(frame, 'subtype') : undefined
}
