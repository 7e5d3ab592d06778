import { basename, relative } from 'node:path'

/**
 * What a person types to start this command again: `tutti` when a package manager has put it in place, else `node`
 * and the file it was started from.
 */
export function programName(file: string | undefined, cwd: string): string {
  if (file === undefined || !/\.[cm]?js$/.test(basename(file)) || /[\\/]node_modules[\\/]/.test(file))
    return 'tutti'
  const near = relative(cwd, file)
  const path = near.startsWith('..') ? file : near
  return `node ${/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`}`
}

/** A text that names the command, with the name by which it can be started here. */
export function asTyped(text: string, program: string): string {
  return program === 'tutti' ? text : text.replace(COMMAND, () => `${program} `)
}

const COMMAND =
  /(?<![\w./-])tutti (?=(?:run|resume|retry|fork|diff|check|ls|show|stop|prune|config|doctor|agents|worktrees|completion)\b|--|<)/g
