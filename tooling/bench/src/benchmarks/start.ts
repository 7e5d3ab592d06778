import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure } from '../figure.ts'
import { scriptOf } from '../samples/spec.ts'
import { inScratch } from '../scratch.ts'
import { repeat, REPEATS, seriesOf } from '../series.ts'

const program = fileURLToPath(new URL('../../../apps/cli/dist/bin.js', import.meta.url))
const TURNS = 2 * REPEATS
const VERSION_MS = 50
const FIRST_FRAME_MS = 250

/** Cold start of whole processes, each against a bare node in the same turn. */
export function start(): Promise<Figure[]> {
  return inScratch(async folder => {
    const script = join(folder, 'start.js')
    const table = join(folder, 'agents.json')
    await writeFile(
      script,
      "export const meta = { name: 'start', description: 'Starts' }\nreturn await agent('hello')",
    )
    await writeFile(table, '{"*":{"echo":true}}')
    const many = join(folder, 'many.js')
    await writeFile(many, scriptOf({ shape: 'parallel', agents: 1_000 }))
    const backend = ['--backend', `scripted:${table}`, '--concurrency', '16']
    const run = [program, 'run', script, ...backend, '--stream-json']
    const runMany = [program, 'run', many, ...backend, '--json']
    const turns = await repeat(
      async () => ({
        bare: await until('exit', ['-e', '0'], folder),
        version: await until('exit', [program, '--version'], folder),
        firstFrame: await until('first output', run, folder),
        whole: await until('exit', run, folder),
        many: await until('exit', runMany, folder),
      }),
      TURNS,
    )
    const bare = seriesOf(turns.map(turn => turn.bare))
    const row = (name: string, key: keyof (typeof turns)[number], more?: number): Figure => ({
      name,
      unit: 'ms',
      value: seriesOf(turns.map(turn => turn[key])),
      baseline: bare,
      ...(more === undefined ? {} : { target: bare.median + more }),
    })
    return [
      row('tutti --version', 'version', VERSION_MS),
      row('tutti run, to the first frame', 'firstFrame', FIRST_FRAME_MS),
      row('tutti run, one agent, whole process', 'whole'),
      row('tutti run, 1,000 agents, whole process', 'many'),
    ]
  })
}

/** Milliseconds from the start of a node process to its first output or its end; throws when it fails. */
function until(what: 'exit' | 'first output', args: string[], root: string): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: root, CLAUDE_CONFIG_DIR: join(root, 'store') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [first, stderr] = [0, '']
  child.stdout.on('data', () => (first ||= performance.now()))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      if (code !== 0) reject(new Error(`node ${args.join(' ')} ended with ${code}\n${stderr}`))
      else resolve((what === 'exit' ? performance.now() : first) - startedAt)
    })
  })
}
