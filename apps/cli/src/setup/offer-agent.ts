import { chooseDefaultBackend } from '@tutti/agents'
import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionFlags } from '../command-line/invocation.ts'
import type { Io } from '../io.ts'
import type { Project } from './project.ts'

export interface OfferOptions {
  io: Io
  project: Project
  flags: ExecutionFlags
  note(text: string): void
}

/**
 * Where nothing is configured and an agent product is installed, asks once whether it may do the work, and keeps the
 * answer in the user's settings. Without a person at a terminal nothing is asked and nothing changes.
 */
export async function offerAgent({ io, project, flags, note }: OfferOptions): Promise<Project> {
  const quiet = flags.backend !== undefined || flags.json || flags.streamJson || flags.quiet
  const { offer } = chooseDefaultBackend(project.env, project.settings)
  if (quiet || offer === undefined || io.question === undefined) return project
  const product = offer.slice(offer.indexOf(':') + 1)
  const answer = await io.question(
    `No model key is set, but ${product} is installed. Let it do the work of agents, with its login and at its cost? [y/N] `,
  )
  if (answer === undefined) return project
  const backend = /^y(es)?$/i.test(answer.trim()) ? offer : 'simulate'
  const place = await remember(project.root, backend)
  note(`Kept as tutti.backend in ${place}.`)
  const { settings } = project
  return { ...project, settings: { ...settings, tutti: { ...settings.tutti, backend } } }
}

/** Sets one key of the user's settings; the rest, and a link to the file, stay. Gives the path. */
async function remember(root: string, backend: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const place = join(root, 'settings.json')
  const path = await realpath(place).catch(() => place)
  const text = await readFile(path, 'utf8').catch(() => '{}')
  const before = JSON.parse(text) as { tutti?: object }
  const after = { ...before, tutti: { ...before.tutti, backend } }
  const draft = `${path}.${process.pid}.tmp`
  await writeFile(draft, `${JSON.stringify(after, undefined, 2)}\n`, { mode: 0o600 })
  await rename(draft, path)
  return place
}
