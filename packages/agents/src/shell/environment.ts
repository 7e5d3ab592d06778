type Environment = Record<string, string | undefined>

const SECRET_NAME =
  /api_?key|access_?key|private_?key|secret|passw(or)?d|passphrase|credential|auth_?token|(^|_)(token|pat|pwd|auth)s?$/i
const SECRET_VALUE = /:\/\/[^/\s:@]*:[^/\s@]+@/

/** A copy without what looks like a secret, by its name or as a password within a URL. */
export function withoutSecrets(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || name === 'PWD' || SECRET_NAME.test(name) || SECRET_VALUE.test(value)) continue
    kept[name] = value
  }
  return kept
}
