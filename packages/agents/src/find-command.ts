import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Path of a command as the system would find it; undefined when there is none. Folders of the project itself do not count. */
export function findCommand(command: string, env: Record<string, string | undefined>): string | undefined {
  if (command.includes('/') || command.includes('\\')) return isExecutable(command) ? command : undefined
  const endings = process.platform === 'win32' ? (env['PATHEXT'] ?? '.EXE;.CMD').split(';') : ['']
  for (const folder of (env['PATH'] ?? env['Path'] ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue
    for (const ending of endings) {
      const path = join(folder, `${command}${ending}`)
      if (isExecutable(path)) return path
    }
  }
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
