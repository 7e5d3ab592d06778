import { boundError } from '@tutti/protocol'

/** Text of somebody else on one line of bounded length. */
export function oneLine(text: string): string {
  return boundError(text).replace(/\s+/g, ' ').trim()
}
