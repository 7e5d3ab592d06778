import { KEY_LIKE } from '../redact.ts'
import type { Endpoint } from './endpoint.ts'

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

function credentialsOf(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, decodeURIComponent(password)]
}
