/**
 * Environment variables that decide where requests and credentials go, or which code processes load. Whoever sets
 * one of them can take over a run, so a project's own files may not.
 */

/** Names of models are harmless, whoever the vendor. */
const HARMLESS = /^NODE_ENV$|^(ANTHROPIC|OPENAI|GEMINI)_(.*_)?MODEL(_.*)?$/

const STEERING: readonly RegExp[] = [
  // Endpoints, and all else of the vendors.
  /(^|_)(URL|URI|ENDPOINT|HOST|HOSTNAME|SERVER|ORIGIN|API_BASE|PORT|REGISTRY|MIRROR)S?$/,
  /^(ANTHROPIC|OPENAI|GEMINI|AWS|GOOGLE|GCLOUD|CLOUDSDK|AZURE|VERTEX|BEDROCK|CLOUD_ML)_/,
  /^CLAUDE_(CODE_(USE|SKIP)_|CONFIG)/,
  /PROXY/,
  // Credentials.
  /API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET|PASSW(OR)?D|PASSPHRASE|CREDENTIAL|COOKIE|HEADERS?$/,
  /(^|_)(KEY|KEYS|TOKEN|AUTH|AUTHORIZATION|PAT|USER|USERNAME)$|(^|_)(TOKEN|AUTH)_/,
  // Whom TLS trusts.
  /^(SSL|TLS|CURL|REQUESTS)_|^SSLKEYLOGFILE$|(^|_)(CA|CERTS?)(_|$)/,
  // Where programs, libraries and their start-up files come from.
  /^(PATH|PATHEXT|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|TEMP|TMP|COMSPEC|CLASSPATH)$/,
  /^(SHELL|ENV|IFS|PS4|CDPATH|SHELLOPTS|BASHOPTS|ZDOTDIR|PROMPT_COMMAND)$|^BASH_(ENV|FUNC)/,
  /^(NODE|NPM|PNPM|YARN|BUN|DENO|COREPACK|LD|DYLD|GIT|SSH|XDG|PIP|UV|GEM|BUNDLE|CARGO|RUSTC|RUSTUP|MAVEN|GRADLE|DOCKER|KUBE|MAKE|LESS|MAN)_?/,
  /^(PYTHON|PERL|RUBY|LUA_|PHP|JAVA|JDK_|_JAVA_|GO(FLAGS|ROOT|PATH|ENV|BIN|PROXY|PRIVATE|TOOLCHAIN)|R_)/,
  /(^|_)(PATH|HOME|PRELOAD|OPTIONS|OPTS|FLAGS|WRAPPER|PAGER|EDITOR|VISUAL|BROWSER|CONFIG|CONFIG_DIR|CONFIG_FILE|RC|STARTUP|PLUGINS?|HOOKS?|COMMAND)$/,
]

/** Case does not count: `https_proxy` is as good as `HTTPS_PROXY`. */
export function isSteeringVariable(name: string): boolean {
  const upper = name.toUpperCase()
  return !HARMLESS.test(upper) && STEERING.some(pattern => pattern.test(upper))
}
