import { dirname, isAbsolute, relative } from 'node:path'
import type { RunLocations } from '@tutti/runtime'

/** Where a run's files are: their folder once, then each by its name in it. `home` is shown as `~`. */
export function locationLines(
  locations: RunLocations,
  { home }: { home?: string | undefined } = {},
): { name: string; value: string }[] {
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
  if (!together) return named.map(({ name, path }) => ({ name, value: fromHome(path, home) }))
  return [
    { name: 'files in', value: fromHome(folder, home) },
    ...inside.map(({ name, value }) => ({ name: `  ${name}`, value })),
  ]
}

/** A path below the home folder as people write it. */
function fromHome(path: string, home: string | undefined): string {
  if (!home || home === '/') return path
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
