import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** How the copy differs from where it was taken, one line a file; empty when it does not, or has no source here. */
export function differencesOfCopy(copy: string, source: string): string[] {
  if (!existsSync(source)) return []
  const [here, there] = [filesOf(copy), filesOf(source)]
  return [...new Set([...here.keys(), ...there.keys()])].sort().flatMap(name => {
    if (!here.has(name)) return [`${name} is missing`]
    if (!there.has(name)) return [`${name} is no longer there`]
    return here.get(name) === there.get(name) ? [] : [`${name} has changed`]
  })
}

function filesOf(folder: string): Map<string, string> {
  return new Map(below(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]))
}

function below(folder: string, prefix = ''): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap(entry => {
    const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    return entry.isDirectory() ? below(folder, name) : [name]
  })
}
