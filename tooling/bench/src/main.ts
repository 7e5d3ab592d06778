// bench [name…] [--json] [--check]: benchmarks of the built code, each beside a baseline.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { CONTEST_FLAG, MODEL_FLAG, serveContest, serveModel } from './agents/contest.ts'
import { agents } from './benchmarks/agents.ts'
import { fresh, resume, scale, space, stages } from './benchmarks/runs.ts'
import { resumeCalls } from './benchmarks/resume-calls.ts'
import { session } from './benchmarks/session.ts'
import { start } from './benchmarks/start.ts'
import { meets, type Figure } from './figure.ts'
import { ATTEMPT_FLAG, serveAttempt } from './resume/by-key.ts'
import { SAMPLE_FLAG, serveSample } from './samples/child.ts'
import { table } from './table.ts'

const benchmarks: Record<string, () => Promise<Figure[]>> = {
  fresh,
  stages,
  resume: async () => [...(await resume()), ...(await resumeCalls())],
  scale,
  space,
  start,
  session,
  agents,
}

if (process.argv[2] === SAMPLE_FLAG) await serveSample(process.argv[3] ?? '')
else if (process.argv[2] === ATTEMPT_FLAG) await serveAttempt(process.argv[3] ?? '')
else if (process.argv[2] === CONTEST_FLAG) await serveContest(process.argv[3] ?? '')
else if (process.argv[2] === MODEL_FLAG) await serveModel()
else await main()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, check: { type: 'boolean' } },
  })
  const unknown = positionals.find(name => !(name in benchmarks))
  if (unknown !== undefined) {
    console.error(`unknown benchmark ${unknown}; known are ${Object.keys(benchmarks).join(', ')}`)
    process.exitCode = 2
    return
  }
  const figures: Figure[] = []
  for (const [name, benchmark] of Object.entries(benchmarks)) {
    if (positionals.length === 0 || positionals.includes(name)) figures.push(...(await benchmark()))
  }
  const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model}`
  if (values.json) console.log(JSON.stringify({ machine, figures }, null, 2))
  else console.log(`${machine}\n\n${table(figures)}`)
  if (values.check && figures.some(figure => meets(figure) === false)) process.exitCode = 1
}
