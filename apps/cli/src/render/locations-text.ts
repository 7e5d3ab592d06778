import { dirname, isAbsolute, relative } from 'node:path'
import type { RunLocations } from '@tutti/runtime'

/** Where a run's files are: their folder once, then each by its name in it. */
export function locationLines(locations: RunLocations): { name: string; value: string }[] {
  const folder = dirname(locations.record)
  const named = [
    { name: 'result', path: locations.output },
    { name: 'record', path: locations.record },
    { name: 'journal', path: locations.journal },
    { name: 'script', path: locations.script },
    { name: 'transcripts', path: locations.transcripts },
  ]
  const inside = named.map(({ name, path }) => ({ name, value: relative(folder, path) }))
  const together =
    isAbsolute(folder) && inside.every(({ value }) => !value.startsWith('..') && !isAbsolute(value))
  if (!together) return named.map(({ name, path }) => ({ name, value: path }))
  return [
    { name: 'files in', value: folder },
    ...inside.map(({ name, value }) => ({ name: `  ${name}`, value })),
  ]
}
