import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { WorkflowInputError } from '@tutti/runtime'
import { readSmallFile } from '../files/read-small-file.ts'
import { directoriesToRepositoryRoot } from '../files/repository.ts'
import { resolveRoot } from '../root.ts'
import { environmentLayers } from './environment.ts'
import { mergeSettings, type MergedSettings } from './merge-settings.ts'
import { parseSettings, type SettingsText } from './parse-settings.ts'
import { restrictProject, type IgnoredSetting } from './restrict-project.ts'
import { SETTINGS_ORDER, type SettingsLayer, type SettingsOrigin } from './settings-source.ts'
import { isTrustedProject } from './trusted-projects.ts'

export interface SettingsOptions {
  cwd: string
  /** Default: `resolveRoot(env)`. */
  root?: string
  /** `--settings`: JSON text, or the path of a file. */
  flagSettings?: string
  env?: NodeJS.ProcessEnv
  /** Files of the machine's administrator; nothing overrides them. The later one wins. */
  managedFiles?: readonly string[]
  /**
   * Whose files are read; default: all. Those of the administrator always are, and of the others
   * `disableWorkflows: true`.
   */
  sources?: readonly ('user' | 'project' | 'local')[]
  /** The user vouches for the project's own files, as `tutti.trustedProjects` does for good. */
  trustProject?: boolean
}

export interface LoadedSettings extends MergedSettings {
  warnings: string[]
  /** What the project's own files say and may not, since the project is not trusted. */
  ignored: IgnoredSetting[]
}

const MAX_BYTES = 4 * 1024 * 1024
const MANAGED_FILES = [
  '/etc/claude-code/managed-settings.json',
  '/etc/claude-code/tutti-managed-settings.json',
]

/**
 * Reads and merges all settings; of a project that is not trusted only what is harmless. Throws
 * WorkflowInputError `settings-invalid` when any source cannot be used: a run never starts with half of its rules.
 */
export async function loadSettings(options: SettingsOptions): Promise<LoadedSettings> {
  const env = options.env ?? process.env
  const warnings: string[] = []
  const flag = options.flagSettings === undefined ? [] : [await readFlag(options.flagSettings, options.cwd)]
  const managed = (options.managedFiles ?? MANAGED_FILES).map(place => ({
    source: 'managed' as const,
    place,
  }))
  const own = ownFiles(options, env)
  const isChosen = ({ source }: SettingsOrigin): boolean =>
    options.sources?.some(one => one === source) ?? true
  const files = await Promise.all([...own.filter(isChosen), ...managed].map(readSource))
  const layers: SettingsLayer[] = []
  for (const text of [...files.filter(text => text !== undefined), ...flag]) {
    layers.push(await parseSettings(text, message => warnings.push(message)))
  }
  for (const file of own.filter(file => !isChosen(file))) layers.push(...(await switchOf(file)))
  layers.push(...environmentLayers(env))
  layers.sort((a, b) => SETTINGS_ORDER.indexOf(a.source) - SETTINGS_ORDER.indexOf(b.source))
  const { trusted, ignored } = withTrust(layers, options.trustProject === true)
  return { ...mergeSettings(trusted), warnings, ignored }
}

/** Who switches workflows off means every way in, also that of a program which reads none of his other settings. */
async function switchOf(file: SettingsOrigin): Promise<SettingsLayer[]> {
  try {
    const text = await readSource(file)
    const values = text === undefined ? undefined : (await parseSettings(text, () => {})).values
    return values?.['disableWorkflows'] === true ? [{ ...file, values: { disableWorkflows: true } }] : []
  } catch {
    return []
  }
}

/** Whether a project is trusted, only others than the project can say. */
function withTrust(
  layers: SettingsLayer[],
  vouched: boolean,
): { trusted: SettingsLayer[]; ignored: IgnoredSetting[] } {
  const own = layers.filter(isOfProject)
  const [first] = own
  if (first === undefined || vouched) return { trusted: layers, ignored: [] }
  const others = mergeSettings(layers.filter(layer => !isOfProject(layer)))
  if (isTrustedProject(dirname(dirname(first.place)), others)) return { trusted: layers, ignored: [] }
  const { layers: restricted, ignored } = restrictProject(own, others.settings as Record<string, unknown>)
  const trusted = layers.map(layer => restricted[own.indexOf(layer)] ?? layer)
  return { trusted, ignored }
}

function isOfProject({ source }: SettingsLayer): boolean {
  return source === 'project' || source === 'local'
}

/** User, project and local files. The project is the nearest folder that has one of its two. */
function ownFiles({ cwd, root }: SettingsOptions, env: NodeJS.ProcessEnv): SettingsOrigin[] {
  const user = resolve(root ?? resolveRoot(env))
  const files = (folder: string): SettingsOrigin[] => [
    { source: 'project', place: join(folder, 'settings.json') },
    { source: 'local', place: join(folder, 'settings.local.json') },
  ]
  const folders = directoriesToRepositoryRoot(cwd).map(directory => join(directory, '.claude'))
  const project = folders.find(
    folder => folder !== user && files(folder).some(({ place }) => existsSync(place)),
  )
  return [
    { source: 'user', place: join(user, 'settings.json') },
    ...(project === undefined ? [] : files(project)),
  ]
}

/** `--settings`: text that begins with a brace is JSON, all else the path of a file that must exist. */
async function readFlag(given: string, cwd: string): Promise<SettingsText> {
  if (given.trimStart().startsWith('{')) return { source: 'flag', place: '--settings', text: given }
  const place = resolve(cwd, given)
  const text = await readSource({ source: 'flag', place })
  if (text) return text
  throw new WorkflowInputError(
    'settings-invalid',
    `There is no settings file ${place} (given with --settings).`,
  )
}

async function readSource({ source, place }: SettingsOrigin): Promise<SettingsText | undefined> {
  try {
    const text = await readSmallFile(place, MAX_BYTES)
    return text === undefined ? undefined : { source, place, text }
  } catch (error) {
    const hint = 'Correct the file or remove it.'
    const message = `Settings cannot be used: ${place}: ${(error as Error).message}. ${hint}`
    throw new WorkflowInputError('settings-invalid', message, { hint, cause: error })
  }
}
