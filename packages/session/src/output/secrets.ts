// What must not leave: values that environment and settings give under names that speak of secrets.
import { hiddenIn } from '@tutti/agents'
import type { Settings } from '@tutti/protocol'

/** Takes known secrets out of what is about to leave. */
export interface Scrubber {
  /** A text that people or models wrote: only known secrets are taken out. */
  text(text: string): string
  /** The same for every text in a value; the value itself when there is nothing to take out. */
  value<T>(value: T): T
  /** A message of ours or of a service: anything that looks like a key is taken out, too. */
  message(text: string): string
}

type Variables = Readonly<Record<string, string | undefined>>

const SECRET_NAME = /(?:^|[_-])(?:api_?key|key|token|secret|passwd|password|credentials?|auth|pat)(?:$|[_-])/i
const HEADERS_NAME = /headers$/i
const KEY_LIKE = /\b(?:sk|pk|key|api)[-_][A-Za-z0-9_*-]{8,}/g
const SHORTEST = 8
const HIDDEN = '[redacted]'

export function createScrubber(env: Variables, settings: Settings = {}): Scrubber {
  const secrets = knownSecrets(env, settings)
  const text = (dirty: string): string =>
    secrets.reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), dirty)
  return {
    text,
    value: value => (secrets.length === 0 ? value : hiddenIn(value, text)),
    message: dirty => text(dirty).replaceAll(KEY_LIKE, HIDDEN),
  }
}

/** Longest first, so that a secret within another one does not spare the rest of it. */
function knownSecrets(env: Variables, settings: Settings): string[] {
  const groups: Variables[] = [env, settings.env ?? {}]
  for (const backend of Object.values(settings.tutti?.backends ?? {})) groups.push(backend.env ?? {})
  for (const server of Object.values(settings.mcpServers ?? {})) groups.push(server.env ?? {})
  const found = new Set<string>()
  for (const [name, value] of groups.flatMap(group => Object.entries(group))) {
    for (const secret of secretsOf(name, value ?? '')) found.add(secret)
  }
  for (const server of Object.values(settings.mcpServers ?? {})) {
    for (const value of Object.values(server.headers ?? {})) addHeader(value, found)
  }
  return [...found].sort((a, b) => b.length - a.length)
}

function secretsOf(name: string, value: string): Set<string> {
  const found = new Set<string>()
  if (HEADERS_NAME.test(name)) {
    for (const line of value.split(/[\r\n]+/)) addHeader(line.slice(line.indexOf(':') + 1), found)
  }
  if (SECRET_NAME.test(name) && looksSecret(value)) found.add(value)
  if (URL.canParse(value)) {
    const { password } = new URL(value)
    for (const part of [password, decoded(password)]) if (part.length >= SHORTEST) found.add(part)
  }
  return found
}

/** `Bearer abc` hides `abc`. */
function addHeader(value: string, found: Set<string>): void {
  for (const part of value.trim().split(/\s+/)) if (looksSecret(part)) found.add(part)
}

/** Not a path, a plain word such as `disabled`, a number or a sentence. */
function looksSecret(value: string): boolean {
  if (value.length < SHORTEST || /\s/.test(value) || /^[./~]/.test(value)) return false
  return !/^[\d.]+$/.test(value) && !/^[a-z]+(?:\/[a-z]+)?$/i.test(value)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
