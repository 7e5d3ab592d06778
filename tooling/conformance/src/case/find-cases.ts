import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Every case file named, and every `*.json` below a folder named, in a stable order, each once. */
export function findCases(places: string[]): string[] {
  const files = places
    .map(place => resolve(place))
    .flatMap(place => (isFolder(place) ? jsonBelow(place) : [place]))
  return [...new Set(files)]
}

function jsonBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(folder, entry.name)
      if (isFolder(path)) return jsonBelow(path)
      return entry.name.endsWith('.json') ? [path] : []
    })
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory()
}
