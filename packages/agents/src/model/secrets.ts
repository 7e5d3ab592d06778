import type { Endpoint } from './endpoint.ts'

const KEY_LIKE = /\b(sk|pk|key|api)[-_][A-Za-z0-9_*-]{8,}/g

/** Takes the endpoint's credentials, and anything that looks like a key, out of a text. */
export function redactor(endpoint: Endpoint): (text: string) => string {
  const hide = credentialHider(endpoint)
  return text => hide(text).replaceAll(KEY_LIKE, '[redacted]')
}

/** What stands in the place of a key where none is needed is a word like others: `none`, `ollama`, `not-needed`. */
const KEY_WORTH_HIDING = /^(?=.*\d).{8,}$|^.{20,}$/s

/** Takes the endpoint's credentials, and nothing else, out of a text. */
export function credentialHider(endpoint: Endpoint): (text: string) => string {
  const keys = [endpoint.apiKey, endpoint.authToken].filter(key => KEY_WORTH_HIDING.test(key ?? ''))
  const secrets = [...keys, ...credentialsOf(endpoint.baseUrl)]
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length > 3)
  return text => known.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text)
}

/** A value without what `hide` takes out of texts; the same object where there is nothing to hide. */
export function hiddenIn<Value>(value: Value, hide: (text: string) => string): Value {
  return isClean(value, hide) ? value : (cleaned(value, hide) as Value)
}

/** Every piece of every answer is looked at, and hardly one holds anything: looking makes no copies. */
function isClean(value: unknown, hide: (text: string) => string): boolean {
  if (typeof value === 'string') return hide(value) === value
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(one => isClean(one, hide))
  for (const name in value) {
    if (hide(name) !== name || !isClean((value as Record<string, unknown>)[name], hide)) return false
  }
  return true
}

function cleaned(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(one => cleaned(one, hide))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), cleaned(one, hide)]))
}

function credentialsOf(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, decodeURIComponent(password)]
}
