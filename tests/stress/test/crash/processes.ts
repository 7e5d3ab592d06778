import { readdirSync, readlinkSync } from 'node:fs'

/** Processes that work below a folder, by their ids. Empty where the system does not tell. */
export function processesBelow(folder: string): number[] {
  return pids().filter(pid => {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`)
      return cwd === folder || cwd.startsWith(`${folder}/`)
    } catch {
      return false
    }
  })
}

/** Those that are left when they have had time to end. */
export async function processesLeft(folder: string): Promise<number[]> {
  for (let look = 0; look < 250 && processesBelow(folder).length > 0; look++) {
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return processesBelow(folder)
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}
