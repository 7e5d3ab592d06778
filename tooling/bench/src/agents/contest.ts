import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { startMockModel } from '@tutti-internal/mock-model'
import { byFetch } from './by-fetch.ts'
import { byModel } from './by-model.ts'
import { byProvider } from './by-provider.ts'
import { AGENTS, answer, TURNS } from './work.ts'

/** Who does the work: our backend in a run of the runtime; the provider's package alone; nothing but `fetch`. */
export type Contender = 'model' | 'provider' | 'fetch'

/** One contender's work, in a process of its own. */
export interface ContestSpec {
  contender: Contender
  url: string
  root: string
}

export interface ContestSample {
  wallMs: number
  /** Of the whole process, its start included. */
  cpuMsPerAgent: number
  maxRssMiB: number
}

export const CONTEST_FLAG = '--contest'
export const MODEL_FLAG = '--model'

const CONTENDERS: Record<Contender, (spec: ContestSpec) => Promise<number>> = {
  model: byModel,
  provider: byProvider,
  fetch: byFetch,
}

/** In the child: does the work and prints what it took. */
export async function serveContest(text: string): Promise<void> {
  const spec = JSON.parse(text) as ContestSpec
  const startedAt = performance.now()
  const succeeded = await CONTENDERS[spec.contender](spec)
  if (succeeded !== AGENTS) throw new Error(`${succeeded} of ${AGENTS} agents succeeded`)
  const { user, system } = process.cpuUsage()
  const sample: ContestSample = {
    wallMs: performance.now() - startedAt,
    cpuMsPerAgent: (user + system) / 1_000 / AGENTS,
    maxRssMiB: process.resourceUsage().maxRSS / 1024,
  }
  console.log(JSON.stringify(sample))
}

/** In another child: the model server, until its input ends. Prints its address, and at the end what it was asked. */
export async function serveModel(): Promise<void> {
  let asked = 0
  const server = await startMockModel({
    replies: request => ((asked = request.n + 1), answer(request)),
    keepRequests: false,
  })
  console.log(server.url)
  process.stdin.resume().once('end', () => {
    console.log(String(asked))
    void server.close()
  })
}

/** Does the work in fresh processes, server and contender apart. Throws unless every agent succeeded in its turns. */
export async function contest(contender: Contender, root: string): Promise<ContestSample> {
  const program = process.argv[1] ?? ''
  const server = spawn(process.execPath, [program, MODEL_FLAG], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  try {
    const url = (await lines.next()).value as string
    const spec: ContestSpec = { contender, url, root }
    const args = [program, CONTEST_FLAG, JSON.stringify(spec)]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    server.stdin.end()
    const asked = Number((await lines.next()).value)
    if (asked !== AGENTS * TURNS) throw new Error(`${asked} requests instead of ${AGENTS * TURNS}`)
    return JSON.parse(stdout) as ContestSample
  } finally {
    server.kill()
  }
}
