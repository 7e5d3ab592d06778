import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/**
 * Where a process lives. Two processes can judge each other by pid only in the same place: same host, same
 * start of the machine, same pid namespace.
 */
export interface ProcessPlace {
  host: string
  /** Start of the machine and pid namespace; empty where the system does not tell. */
  machine: string
}

/** What of a process outlives it: enough to tell it from a later one with the same pid. */
export interface ProcessIdentity extends ProcessPlace {
  pid: number
  /** When it started, in units of the operating system. */
  started?: string
}

/** Tells about processes of this machine. */
export interface ProcessTable {
  place(): Promise<ProcessPlace>
  /** Undefined when there is no such process, or it only waits to be reaped. */
  look(pid: number): Promise<{ started?: string } | undefined>
}

/** The processes of this machine. `host` replaces the host's name. */
export function systemProcesses(host: string = hostname()): ProcessTable {
  let place: Promise<ProcessPlace> | undefined
  return {
    place: () => (place ??= machineId().then(machine => ({ host, machine }))),
    look: pid => (process.platform === 'linux' ? lookLinux(pid) : lookElsewhere(pid)),
  }
}

/** `host` and `machine` agree. */
export function samePlace(a: ProcessPlace, b: ProcessPlace): boolean {
  return a.host === b.host && a.machine === b.machine
}

async function machineId(): Promise<string> {
  if (process.platform !== 'linux') return ''
  const [boot, namespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ])
  return `${boot.trim()}/${namespace.replaceAll(/\D/g, '')}`
}

async function lookLinux(pid: number): Promise<{ started?: string } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return exists(pid) ? {} : undefined
  // The name in parentheses may hold anything; the fields after it are the state and, 19 on, the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  return { started: fields[19] }
}

function lookElsewhere(pid: number): Promise<{ started?: string } | undefined> {
  if (!exists(pid)) return Promise.resolve(undefined)
  return new Promise(done => {
    const options = { timeout: 2_000, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } }
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], options, (error, output) => {
      done(error || !output.trim() ? {} : { started: output.trim().replaceAll(/\s+/g, ' ') })
    })
  })
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
