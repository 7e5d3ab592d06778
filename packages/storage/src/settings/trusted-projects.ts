import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { MergedSettings } from './merge-settings.ts'

/** True when `tutti.trustedProjects` names this folder or one above it; links are resolved, `~` is the home folder. */
export function isTrustedProject(folder: string, { settings }: MergedSettings): boolean {
  const project = realPath(folder)
  return (settings.tutti?.trustedProjects ?? []).some(trusted => {
    const path = trusted === '~' || trusted.startsWith('~/') ? join(homedir(), trusted.slice(1)) : trusted
    if (!isAbsolute(path)) return false
    const way = relative(realPath(path), project)
    return way === '' || (way.split(/[/\\]/, 1)[0] !== '..' && !isAbsolute(way))
  })
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
