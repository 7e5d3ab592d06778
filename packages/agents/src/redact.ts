const SECRET_NAME = /key|token|secret|passw|credential|auth/i
/** What looks like a key, whoever it belongs to. */
export const KEY_LIKE: RegExp = /\b(sk|pk|key|api)[-_][A-Za-z0-9_*-]{8,}/g

/** Takes the values of variables with secret-looking names, and anything that looks like a key, out of a text. */
export function redactorFor(env: Record<string, string | undefined>): (text: string) => string {
  const secrets = Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value !== undefined && value.length >= 8)
    .map(([, value]) => value as string)
  return text =>
    secrets
      .reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text)
      .replaceAll(KEY_LIKE, '[redacted]')
}
