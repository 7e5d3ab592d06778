import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Of the entries of a home folder that begin with a dot, those that hold tools or harmless settings. */
const SHOWN: ReadonlySet<string> = new Set([
  '.asdf',
  '.bun',
  '.cache',
  '.cargo',
  '.deno',
  '.gitconfig',
  '.gradle',
  '.gvm',
  '.jenv',
  '.local',
  '.m2',
  '.mise',
  '.npm',
  '.nvm',
  '.pnpm-store',
  '.poetry',
  '.proto',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.rvm',
  '.sdkman',
  '.volta',
  '.yarn',
])

/** Below shown ones. */
const STILL_HIDDEN = [
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gradle/gradle.properties',
  '.local/share',
  '.local/state',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
]

export interface HiddenPlace {
  path: string
  isFolder: boolean
}

/**
 * What of the home folder no command sees: every entry that begins with a dot, for there lie keys, tokens,
 * histories and the settings of programs, but for tool chains.
 */
export async function hiddenPlaces(home: string): Promise<HiddenPlace[]> {
  const entries = await readdir(home).catch((): string[] => [])
  const names = [...entries.filter(name => name.startsWith('.') && !SHOWN.has(name)), ...STILL_HIDDEN]
  const found: HiddenPlace[] = []
  for (const name of names) {
    const path = join(home, name)
    const there = await stat(path).catch(() => undefined)
    if (there) found.push({ path, isFolder: there.isDirectory() })
  }
  return found
}
