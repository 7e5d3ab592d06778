import { basename } from 'node:path'
import type { BackendSettings, JsonObject } from '@tutti/protocol'
import { WorkflowInputError } from '@tutti/runtime'
import { ProfileSchema } from './profile-schema.ts'
import { PLAIN, PROFILES } from './profiles/index.ts'
import type { CliProfile } from './profile.ts'

/**
 * How a backend of the settings is run: by the profile it names or holds, else by that of the product its command
 * is called like, else as a plain command. Throws WorkflowInputError `settings-invalid`.
 */
export function chooseProfile(name: string, { command, profile }: BackendSettings): CliProfile {
  if (typeof profile === 'string') return named(name, profile)
  if (profile !== undefined) return given(name, profile)
  const called = command === undefined ? name : basename(command).replace(/\.(exe|cmd|bat|js|mjs)$/i, '')
  if (Object.hasOwn(PROFILES, called)) return PROFILES[called] as CliProfile
  if (command === undefined)
    throw new WorkflowInputError('settings-invalid', `tutti.backends.${name}: kind "cli" needs a command`)
  return PLAIN
}

function named(name: string, profile: string): CliProfile {
  if (profile === 'plain') return PLAIN
  if (Object.hasOwn(PROFILES, profile)) return PROFILES[profile] as CliProfile
  const known = [...Object.keys(PROFILES), 'plain'].join(', ')
  throw new WorkflowInputError(
    'settings-invalid',
    `tutti.backends.${name}.profile: there is no profile "${profile}"; known: ${known}`,
  )
}

/** A profile in the settings may name one it differs from in `like`. */
function given(name: string, profile: JsonObject): CliProfile {
  const { like, ...own } = profile
  const base =
    like === undefined ? PLAIN : named(name, typeof like === 'string' ? like : JSON.stringify(like))
  const parsed = ProfileSchema.safeParse({ ...base, ...own })
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new WorkflowInputError(
    'settings-invalid',
    `tutti.backends.${name}.profile: ${issues.slice(0, 3).join('; ')}`,
  )
}
