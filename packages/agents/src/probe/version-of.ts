import { execFile } from 'node:child_process'
import { agentEnvironment } from '../cli/environment.ts'

const TIMEOUT_MS = 10_000

/** The first line a command says about its version; undefined when it says nothing of use in time. */
export function versionOf(
  command: string,
  args: string[],
  { env, cwd }: { env: Record<string, string | undefined>; cwd: string },
): Promise<string | undefined> {
  return new Promise(resolve => {
    const child = execFile(
      command,
      args,
      {
        cwd,
        env: agentEnvironment(env, cwd),
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024,
      },
      (error, stdout) => {
        const line = stdout.split('\n').find(text => text.trim() !== '')
        resolve(error === null ? line?.trim().slice(0, 80) : undefined)
      },
    )
    child.stdin?.end()
  })
}
