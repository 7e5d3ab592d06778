type Environment = Record<string, string | undefined>

const SECRET_NAMES: readonly RegExp[] = [
  /KEYS?$|(^|_)KEY_|API_?KEY|ACCESS_?KEY|(^|_)SK$/,
  /SECRET|PASSW(OR)?D|PASSPHRASE|PASSCODE|^PGPASS|^SSHPASS|CRED|COOKIE|PRIVATE|SIGNING|SESSION|BEARER|JWT|HEADERS?$/,
  // An author is no secret.
  /AUTH(?!OR(S?$|_))|TOKENS?$|TOKEN_|(^|_)(PAT|PWD|PW|PASS)S?$/,
]

/** What looks like a secret by its name and is none: parts of the desktop, and modules that are not public. */
const HARMLESS_NAMES =
  /^(XDG_SESSION_.*|(GNOME_)?DESKTOP_SESSION(_ID)?|GDMSESSION|KDE_(FULL_)?SESSION.*|DBUS_SESSION_BUS_.*|SESSION_MANAGER|SECURITYSESSIONID|TERM_SESSION_ID|GOPRIVATE)$/

/** Where a key may begin: not within a path, or a folder could cost a command its PATH. */
const BEGIN = String.raw`(?:^|//|[\s"'=:,;@])`

const SECRET_VALUES: readonly RegExp[] = [
  // A password within an address.
  /:\/\/[^/\s:@]*:[^/\s@]+@/,
  /-----BEGIN [A-Z0-9 ]+-----/,
  new RegExp(`${BEGIN}(sk-[\\w-]{6,}|[sr]k_(live|test)_\\w+)`),
  new RegExp(`${BEGIN}(gh[pousr]_|github_pat_|glpat-)[\\w-]{4,}`),
  new RegExp(`${BEGIN}(xox[a-z]|xapp)-[\\w-]{4,}`),
  new RegExp(`${BEGIN}(npm_[A-Za-z0-9]{36}|AIza[\\w-]{30,}|A(KIA|SIA)[A-Z0-9]{16})`),
  // A signed token.
  new RegExp(`${BEGIN}eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.`),
  /^\s*(Bearer|Basic) +\S/i,
]

/** With these git would look at another repository than the one around the working directory. */
const GIT_PLACE = /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|OBJECT_DIRECTORY)$/

/** A copy without what looks like a secret, by its name or its value, and without what leads git elsewhere. */
export function withoutSecrets(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || name === 'PWD' || GIT_PLACE.test(name) || isSecretName(name)) continue
    if (!SECRET_VALUES.some(pattern => pattern.test(value))) kept[name] = value
  }
  return kept
}

/** Shorter ones, words and paths would take too much of ordinary texts along. */
const WORTH_HIDING = /^(?!\/)(?=.*\d).{12,}$/s

/** Takes the values of variables that look like secrets out of a text. */
export function secretHider(env: Environment): (text: string) => string {
  const kept = withoutSecrets(env)
  const secrets = Object.entries(env).flatMap(([name, value = '']) =>
    !Object.hasOwn(kept, name) && !GIT_PLACE.test(name) && WORTH_HIDING.test(value) ? [value] : [],
  )
  // Of one that is part of another, the longer one goes first: nothing of it is left over.
  secrets.sort((a, b) => b.length - a.length)
  return text => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text)
}

/** Case does not count: `npm_config__auth` is as good as `NPM_CONFIG__AUTH`. */
function isSecretName(name: string): boolean {
  const upper = name.toUpperCase()
  return !HARMLESS_NAMES.test(upper) && SECRET_NAMES.some(pattern => pattern.test(upper))
}
