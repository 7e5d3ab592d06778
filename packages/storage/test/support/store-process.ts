import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** What a store process answers; `code` and `message` of an error. */
export interface Answer {
  fence?: number
  lines?: number
  damaged?: number
  durable?: number
  lost?: boolean
  code?: string
  message?: string
}

/** A store in a process of its own. */
export interface StoreProcess {
  readonly pid: number
  ask(command: 'create' | 'open' | 'append' | 'close', runId?: string): Promise<Answer>
  /** Appends without end; `onDurable` hears each line that is durable. */
  stream(onDurable: (answer: Answer) => void): void
  /** Resolves when the process is gone. */
  kill(): Promise<void>
  signal(signal: NodeJS.Signals): void
}

/** Node starts no TypeScript, so the program is bundled once per test file. */
export async function bundleStoreProcess(folder: string): Promise<string> {
  const file = `${folder}/store-process.mjs`
  const build = await rolldown({
    input: fileURLToPath(new URL('../programs/store-process.ts', import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['@tutti/source', 'node', 'import', 'default'] },
  })
  await build.write({ file, format: 'esm', codeSplitting: false })
  await build.close()
  return file
}

export function startStoreProcess(program: string, options: object): StoreProcess {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting: ((answer: Answer) => void)[] = []
  let listen: (answer: Answer) => void = answer => waiting.shift()?.(answer)
  createInterface({ input: child.stdout }).on('line', line => listen(JSON.parse(line) as Answer))
  child.stdin.on('error', () => {})
  const send = (command: string, runId: string): void =>
    void child.stdin.write(`${JSON.stringify({ do: command, runId })}\n`)
  return {
    pid: child.pid ?? 0,
    ask(command, runId = '') {
      return new Promise(resolve => {
        waiting.push(resolve)
        send(command, runId)
      })
    },
    stream(onDurable) {
      listen = onDurable
      send('stream', '')
    },
    signal: signal => void child.kill(signal),
    kill: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = new Promise(resolve => child.once('close', resolve))
  child.kill('SIGKILL')
  await end
}
