import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gitPlacesOf } from './git-folders.ts'
import { hiddenPlaces } from './hidden-places.ts'
import type { Sandbox, SandboxPlace } from './sandbox.ts'

export interface BubblewrapOptions {
  /** Path of `bwrap`. */
  command: string
  home: string
  /** Commands reach the network. */
  network: boolean
}

/** Files of a project that make others run code later on, besides those of git. */
const GUARDED = ['.claude', '.codebuddy', '.mcp.json']

/** Namespaces of its own, and an end with the process that started it. */
export const CONFINED: readonly string[] = [
  '--die-with-parent',
  '--unshare-pid',
  '--as-pid-1',
  '--unshare-ipc',
  '--unshare-uts',
  '--cap-drop',
  'ALL',
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
]

/**
 * Is the first process of its namespace, with which all others end; unlike the command it may not be killed from
 * within. Left to bwrap, that process would stay behind for a while, and look alive.
 */
const FIRST = ['/bin/sh', '-c', '"$@"; exit $?', 'sh']

/** Linux namespaces, set up by `bwrap`. The order of the arguments counts: later ones lie over earlier ones. */
export function createBubblewrap({ command, home, network }: BubblewrapOptions): Sandbox {
  return {
    name: 'bubblewrap',
    async wrap(argv, place) {
      const own = [...CONFINED, ...(network ? [] : ['--unshare-net'])]
      const rules = [...(await hiding(home, network)), ...(await opening(place, home)), '--chdir', place.cwd]
      return [command, ...own, ...rules, '--setenv', 'TMPDIR', '/tmp', '--', ...FIRST, ...argv]
    },
  }
}

/** Sockets of services, other people's temporary files, and what the home folder keeps secret. */
async function hiding(home: string, network: boolean): Promise<string[]> {
  const args = ['--tmpfs', '/run', '--tmpfs', '/tmp']
  // Names are looked up with what lies there.
  if (network) args.push('--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve')
  for (const { path, isFolder } of await hiddenPlaces(home))
    args.push(...(isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]))
  return args
}

/** Parents first, so that what lies in a guarded place of another one is open all the same. */
async function opening({ root, additional = [] }: SandboxPlace, home: string): Promise<string[]> {
  const tops = [...new Set([root, ...additional])].toSorted((a, b) => a.length - b.length)
  const found = await Promise.all(tops.map(gitPlacesOf))
  // Whoever keeps the home folder in git keeps its settings there, which are hidden.
  const git = found.flatMap(places => (places === undefined || places.checkout === home ? [] : [places]))
  const args = git.flatMap(({ checkout }) => ['--ro-bind', checkout, checkout])
  for (const top of tops) {
    args.push('--bind-try', top, top)
    args.push(...(await readOnly(GUARDED.map(name => join(top, name)))))
  }
  for (const { writable, guarded } of git) {
    // Bound for itself it cannot be moved away, and another one be put in its place.
    args.push(...writable.flatMap(path => ['--bind', path, path]))
    args.push(...(await readOnly(guarded)))
  }
  return args
}

async function readOnly(paths: string[]): Promise<string[]> {
  return (await existing(paths)).flatMap(path => ['--ro-bind', path, path])
}

/** Links are left out: what they lead to is bound, or not, for itself. */
async function existing(paths: string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const there = await stat(path).catch(() => undefined)
    if (there && (await realpath(path)) === path) found.push(path)
  }
  return found
}
