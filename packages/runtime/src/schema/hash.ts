import { createHash } from 'node:crypto'

/** sha256 of a text as UTF-8, in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
