import type { JsonValue } from '@tutti/protocol'
import type { Endpoint } from './endpoint.ts'

const KEY_LIKE = /\b(sk|pk|key|api)[-_][A-Za-z0-9_*-]{8,}/g

/** Takes the endpoint's credentials, and anything that looks like a key, out of a text. */
export function redactor(endpoint: Endpoint): (text: string) => string {
  const hide = credentialHider(endpoint)
  return text => hide(text).replaceAll(KEY_LIKE, '[redacted]')
}

/** Takes the endpoint's credentials, and nothing else, out of a text. */
export function credentialHider(endpoint: Endpoint): (text: string) => string {
  const secrets = [endpoint.apiKey, endpoint.authToken, ...credentialsOf(endpoint.baseUrl)]
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length > 3)
  return text => known.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text)
}

/** A value without what `hide` takes out of texts; the same object where there is nothing to hide. */
export function hiddenIn<Value extends JsonValue>(value: Value, hide: (text: string) => string): Value {
  const text = JSON.stringify(value)
  const clean = hide(text)
  return clean === text ? value : (JSON.parse(clean) as Value)
}

function credentialsOf(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, decodeURIComponent(password)]
}
