import { spawn } from 'node:child_process'
import { ToolProblem } from './tool.ts'
import type { Workplace } from './workplace.ts'

const TIMEOUT_MS = 20_000
const MOST_BYTES = 4 * 1024 * 1024
/** Never searched, whatever the project's ignore files say. */
const ALWAYS = ['--no-config', '--color=never', '--hidden', '--glob=!.git']

/** What ripgrep printed; at most 4 MiB. Throws ToolProblem when it complained. */
export async function ripgrep(workplace: Workplace, args: string[], cwd: string): Promise<string> {
  const command = await ripgrepPath()
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...ALWAYS, ...args], {
      cwd,
      env: workplace.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    let bytes = 0
    let late = false
    let complaint = ''
    const stop = (): void => void child.kill('SIGKILL')
    const limit = workplace.clock.timer(TIMEOUT_MS, () => {
      late = true
      stop()
    })
    workplace.signal.addEventListener('abort', stop, { once: true })
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MOST_BYTES) chunks.push(chunk)
      else stop()
    })
    child.stderr.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(0, 2000)))
    const release = (): void => {
      limit.cancel()
      workplace.signal.removeEventListener('abort', stop)
    }
    child.once('error', error => {
      release()
      reject(new ToolProblem(`The search could not be started: ${error.message}`))
    })
    child.once('close', code => {
      release()
      if (late) reject(new ToolProblem(`The search took longer than ${TIMEOUT_MS / 1000} s; narrow it down.`))
      else if (code === 2 && chunks.length === 0)
        reject(new ToolProblem(`The search failed: ${complaint.trim()}`))
      else resolve(Buffer.concat(chunks).toString('utf8'))
    })
  })
}

/** The packaged binary, or the one on the PATH where there is no package for the platform. */
async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch {
    return 'rg'
  }
}
