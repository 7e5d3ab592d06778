import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gitFoldersOf } from './git-folders.ts'
import { hiddenPlaces } from './hidden-places.ts'
import type { Sandbox, SandboxPlace } from './sandbox.ts'

export interface BubblewrapOptions {
  /** Path of `bwrap`. */
  command: string
  home: string
  /** Commands reach the network. */
  network: boolean
}

/** Files of a project that make others run code later on: git's hooks and configuration, and those of agents. */
const GUARDED = ['.claude', '.codebuddy', '.mcp.json']
const GUARDED_IN_GIT = ['hooks', 'config']

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
      const rules = [...(await hiding(home, network)), ...(await opening(place)), '--chdir', place.cwd]
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

async function opening({ root }: SandboxPlace): Promise<string[]> {
  const outside = await gitFoldersOf(root)
  const writable = [...outside, root]
  const guarded = [
    ...GUARDED.map(name => join(root, name)),
    ...[join(root, '.git'), ...outside].flatMap(git => GUARDED_IN_GIT.map(name => join(git, name))),
  ]
  return [
    ...writable.flatMap(path => ['--bind', path, path]),
    ...(await existing(guarded)).flatMap(path => ['--ro-bind', path, path]),
  ]
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
