import type { ConfigFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { safeLine } from '../render/text-width.ts'
import { openProject, type Project } from '../setup/project.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { writeOut } from '../write-out.ts'

const SECRET = /key|token|secret|password|credential|auth/i

export interface ConfigInvocation {
  key?: string
  options: ConfigFlags
}

interface ShownSetting {
  key: string
  value: unknown
  from: string[]
}

/** Shows settings as they are in effect, and where each comes from. Values of secret-looking keys are hidden. */
export async function configCommand(
  { key, options: flags }: ConfigInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const project = await openProject(io, {
    onWarning: message => io.stderr.write(`warning ${message}\n`),
    tellIgnored: true,
    ...(flags.settings !== undefined && { settings: flags.settings }),
    ...(flags.trustProject !== undefined && { trustProject: flags.trustProject }),
  })
  const all = settingsOf(project)
  const shown = key === undefined ? all : all.filter(one => one.key === key || one.key.startsWith(`${key}.`))
  if (key !== undefined && shown.length === 0) {
    throw new UsageError(`"${key}" is not set anywhere`, 'tutti config lists what is set.', 'setting-not-set')
  }
  const { dim } = terminal.outColors
  const lines = shown.map(
    ({ key: name, value, from }) => `${name} = ${safeLine(JSON.stringify(value))}  ${dim(from.join(', '))}`,
  )
  const text = flags.json === true ? JSON.stringify(shown) : lines.join('\n')
  await writeOut(io.stdout, text === '' ? 'Nothing is set.\n' : `${text}\n`)
  return EXIT.completed
}

function settingsOf({ settings, origins }: Project): ShownSetting[] {
  return Object.entries(origins)
    .map(([key, places]) => ({
      key,
      value: hidden(key, valueAt(settings, key)),
      from: places.map(({ source, place }) => `${source}: ${place}`),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

function hidden(key: string, value: unknown): unknown {
  const last = key.split('.').at(-1) ?? ''
  const inEnv = key.startsWith('env.') || key.includes('.env.')
  return inEnv && SECRET.test(last) ? '(hidden)' : value
}

/** Names may contain dots, so the longest name that exists is taken at each step. */
function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const name of Object.keys(value)) {
    if (path === name) return (value as Record<string, unknown>)[name]
    if (!path.startsWith(`${name}.`)) continue
    const found = valueAt((value as Record<string, unknown>)[name], path.slice(name.length + 1))
    if (found !== undefined) return found
  }
  return undefined
}
