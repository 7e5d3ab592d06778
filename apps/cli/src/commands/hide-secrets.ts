const HIDDEN = '(hidden)'

/** Of settings, flags and variables. An author is no secret. */
const SECRET_NAME =
  /key|token|secret|passw|passphrase|cookie|credential|bearer|auth(?!ors?(?:$|[^a-z]|name|email))/i
/** Objects and lists whose every value may be a secret. */
const CLOSED = /^(env|headers?)$/i
/** Lists of words for a program. */
const WORDS = /^(args|command)$/i
/** Flags whose next word may be a secret, whatever they set. */
const CARRIER = /^(-H|-e|-u|--user|--headers?|--env)$/
const ASSIGNMENT = /^([^=\s]+)=/

/** Pieces of any text that look like secrets; what precedes them stays. */
const SECRET_TEXT: readonly RegExp[] = [
  /(:\/\/)[^/\s@]*:[^/\s@]+(?=@)/g,
  /((?:^|[\s"'=:,;@/]))(?:sk-[\w-]{6,}|[sr]k_(?:live|test)_\w+|gh[pousr]_\w{4,}|github_pat_\w+|glpat-[\w-]+|xox[a-z]-[\w-]{4,})/g,
  /((?:^|\s)--?[\w-]*(?:key|token|secret|passw|cookie|credential|auth)[\w-]*[=\s]\s*)(?:"[^"]*"|'[^']*'|\S+)/gi,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{6,}/gi,
]

/**
 * A copy of settings to be shown: without what is below `env` and `headers`, below names that look secret, after such
 * flags, and without pieces of text that look like keys.
 */
export function hideSecrets(value: unknown, name = ''): unknown {
  if (CLOSED.test(name)) return hideAll(value)
  // Counts of tokens are no secrets.
  if (SECRET_NAME.test(name) && !(/tokens$/i.test(name) && typeof value === 'number')) return hideAll(value)
  if (typeof value === 'string') return hideWithin(value)
  if (Array.isArray(value)) {
    const items = value as unknown[]
    return WORDS.test(name) ? hideWords(items) : items.map(item => hideSecrets(item))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hideSecrets(inner, key)]))
}

/** Names stay, so that it can be seen what is set. */
function hideAll(value: unknown): unknown {
  if (!isObject(value)) return HIDDEN
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hideAll(inner)]))
}

function hideWords(words: unknown[]): unknown[] {
  return words.map((word, at) => {
    const before = words[at - 1]
    if (typeof before === 'string' && before.startsWith('-') && !before.includes('=')) {
      const carries = CARRIER.test(before) || SECRET_NAME.test(before)
      if (carries && !(typeof word === 'string' && word.startsWith('--'))) return HIDDEN
    }
    if (typeof word !== 'string') return hideSecrets(word)
    const name = ASSIGNMENT.exec(word)?.[1]
    const secret = name !== undefined && (SECRET_NAME.test(name) || CARRIER.test(name))
    return secret ? `${name}=${HIDDEN}` : hideWithin(word)
  })
}

function hideWithin(text: string): string {
  return SECRET_TEXT.reduce((shown, pattern) => shown.replace(pattern, `$1${HIDDEN}`), text)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
