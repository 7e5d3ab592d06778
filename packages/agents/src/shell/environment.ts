type Environment = Record<string, string | undefined>

const SECRET_NAME =
  /api_?key|access_?key|private_?key|secret|passw(or)?d|passphrase|credential|auth_?token|(^|_)(token|pat|pwd|auth)s?$/i
const SECRET_VALUE = /:\/\/[^/\s:@]*:[^/\s@]+@/

/** With these git would look at another repository than the one around the working directory. */
const GIT_PLACE = /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|OBJECT_DIRECTORY)$/

/** A copy without what looks like a secret, by its name or as a password within a URL. */
export function withoutSecrets(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (
      value === undefined ||
      name === 'PWD' ||
      GIT_PLACE.test(name) ||
      SECRET_NAME.test(name) ||
      SECRET_VALUE.test(value)
    )
      continue
    kept[name] = value
  }
  return kept
}
