import { readFileSync } from 'node:fs'

/** Peak resident memory of a running process so far, in MiB; undefined where the system does not tell. */
export function peakMemoryMiB(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
  } catch {
    return undefined
  }
}
