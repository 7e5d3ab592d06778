/** A way in which a session decides about tools. */
export interface ModeInfo {
  id: string
  name: string
  description: string
  [key: string]: string
}

export const PERMISSION_MODES: readonly ModeInfo[] = [
  mode('default', 'Ask', 'What no rule allows is asked about'),
  mode('acceptEdits', 'Accept edits', 'Files of the project may be changed without asking'),
  mode('plan', 'Plan', 'Nothing is changed'),
  mode('auto', 'Auto', 'As default'),
  mode('dontAsk', "Don't ask", 'What no rule allows is denied'),
  mode('bypassPermissions', 'Bypass', 'Everything is allowed that no rule denies'),
]

/** Words of other products for the same. */
const OTHER_WORDS: Readonly<Record<string, string>> = { fullAccess: 'bypassPermissions', delegate: 'default' }

/** The mode that is meant. Throws an error that lists the known ones. */
export function permissionModeOf(word: string): string {
  const meant = Object.hasOwn(OTHER_WORDS, word) ? (OTHER_WORDS[word] ?? word) : word
  if (PERMISSION_MODES.some(({ id }) => id === meant)) return meant
  const known = PERMISSION_MODES.map(({ id }) => id).join(', ')
  throw new Error(`permission mode ${JSON.stringify(word.slice(0, 60))} is unknown; known: ${known}`)
}

function mode(id: string, name: string, description: string): ModeInfo {
  return { id, name, description }
}
