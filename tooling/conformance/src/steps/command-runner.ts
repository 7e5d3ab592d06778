import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { RunStore } from '@tutti/runtime'
import type { RunStep, Step } from '../case/types.ts'
import { journalFeed } from '../observe/journal-feed.ts'
import { Observations } from '../observe/observations.ts'
import { tailJournal } from '../observe/tail-journal.ts'
import { missingEntries } from './check-table.ts'
import { startCommand, type Command } from './command.ts'
import { commandLine } from './command-line.ts'
import { planOf } from './dry-run.ts'
import { nothingHappened, type StepOutcome } from './outcome.ts'
import { lastSeq, readRun } from './read-run.ts'
import { refusalOf } from './refusal.ts'
import type { CaseRunner, CaseSetting } from './runner.ts'
import { wordsOfFrames } from './wire-words.ts'
import { fileStore } from './wiring.ts'

const BACKGROUND_MS = 5_000
const POLL_MS = 10

/** Runs each step in a process of its own, through the built command. */
export function commandRunner(setting: CaseSetting): CaseRunner {
  const store = fileStore(setting.workspace)
  const live: Command[] = []
  let steps = 0
  let lastRun: string | undefined

  return { run, end }

  async function run(step: Step): Promise<StepOutcome> {
    steps += 1
    const startedAt = performance.now()
    const outcome = step.stop ? await stop() : await launchOrResume(step)
    outcome.wallMs = performance.now() - startedAt
    if (step.expect.hostAlive !== undefined) outcome.hostAlive = await trivialRunWorks()
    return outcome
  }

  async function launchOrResume(step: Step): Promise<StepOutcome> {
    const asked = step.launch ?? step.resume ?? {}
    const resumed = step.resume ? (asked.runId ?? lastRun) : undefined
    if (asked.dryRun === true) return planOf(setting.workspace, resumed)
    const table = join(setting.workspace.aside, `agents-${steps}.json`)
    writeFileSync(table, JSON.stringify(asked.agents ?? {}))
    const after = resumed === undefined ? 0 : await lastSeq(store, resumed)
    const known = await runIds(store)
    const command = startCommand(commandLine({ step, table, runId: resumed, env: setting.env }), setting)
    live.push(command)
    const runId = resumed ?? (await newRun(store, { known, command }))
    const observations = new Observations()
    const watched = runId === undefined ? undefined : await watch(runId, { after, command, observations })
    if (watched !== undefined) void act({ asked, observations, command, runId: watched.runId })

    const outcome = nothingHappened()
    if (asked.background === true) {
      await Promise.race([observations.firstDispatch(), command.exit, wait(BACKGROUND_MS)])
      outcome.running = !command.ended()
    } else {
      outcome.exit = await command.exit
    }
    if (command.ended()) await watched?.done
    if (runId === undefined || (!outcome.running && watched?.begun() !== true)) {
      outcome.refusal = refusalOf(command)
      return outcome
    }
    lastRun = runId
    Object.assign(outcome, await readRun(store, { runId, after }))
    outcome.dispatched = { ...observations.dispatched }
    outcome.maxInFlight = observations.maxInFlight
    outcome.problems.push(...missingEntries(asked.agents ?? {}, outcome.dispatched))
    if (step.expect.wireOrder) outcome.wire = wordsOfFrames(command.stdout())
    return outcome
  }

  /** Feeds the observations from the journal; `begun` once the step wrote a line of its own. */
  async function watch(
    runId: string,
    given: { after: number; command: Command; observations: Observations },
  ): Promise<{ runId: string; done: Promise<void>; begun: () => boolean } | undefined> {
    const { observations } = given
    const locations = await store.load(runId).then(
      run => run.locations,
      () => undefined,
    )
    if (!locations) return undefined
    let begun = false
    const feed = journalFeed({
      started(label) {
        observations.dispatch(label)
        observations.enter()
      },
      settled(label) {
        observations.leave()
        observations.settle(label)
      },
    })
    const done = tailJournal(locations.journal, {
      after: given.after,
      ended: given.command.ended,
      seen(line) {
        begun = true
        feed.see(line)
      },
    })
    return { runId, done, begun: () => begun }
  }

  async function act(given: {
    asked: RunStep
    observations: Observations
    command: Command
    runId: string
  }): Promise<void> {
    const { asked, observations, command, runId } = given
    if (asked.sigkill && 'settled' in asked.sigkill) await observations.settledAll(asked.sigkill.settled)
    else if (asked.sigkill) await observations.settledCount(asked.sigkill.settledCount)
    if (asked.sigkill) command.child.kill('SIGKILL')
    if (asked.stop && 'settled' in asked.stop) await observations.settledAll(asked.stop.settled)
    else if (asked.stop)
      await observations
        .firstDispatch()
        .then(() => wait(asked.stop && 'afterMs' in asked.stop ? asked.stop.afterMs : 0))
    if (asked.stop) live.push(startCommand(['stop', runId], setting))
  }

  async function stop(): Promise<StepOutcome> {
    const outcome = nothingHappened()
    const owner = live.findLast(command => !command.ended())
    const command = startCommand(['stop', ...(lastRun === undefined ? [] : [lastRun])], setting)
    outcome.exit = await command.exit
    if (outcome.exit !== 0) outcome.refusal = refusalOf(command)
    else await owner?.exit
    if (lastRun !== undefined) Object.assign(outcome, await readRun(store, { runId: lastRun, after: 0 }))
    return outcome
  }

  async function trivialRunWorks(): Promise<boolean> {
    const table = join(setting.workspace.aside, 'alive.json')
    const script = join(setting.workspace.aside, 'alive.js')
    writeFileSync(table, '{}')
    writeFileSync(script, "export const meta = { name: 'alive', description: 'Answers' }\nreturn 1")
    return (
      (await startCommand(['run', script, '--backend', `scripted:${table}`, '--json'], setting).exit) === 0
    )
  }

  async function end(): Promise<void> {
    for (const command of live) if (!command.ended()) command.child.kill('SIGKILL')
    await Promise.allSettled(live.map(command => command.exit))
  }
}

async function runIds(store: RunStore): Promise<Set<string>> {
  return new Set((await store.list()).map(({ record }) => record.runId))
}

/** The run that the command makes; undefined when it ends without one. */
async function newRun(
  store: RunStore,
  given: { known: Set<string>; command: Command },
): Promise<string | undefined> {
  for (;;) {
    const ended = given.command.ended()
    const found = [...(await runIds(store))].find(runId => !given.known.has(runId))
    if (found !== undefined || ended) return found
    await wait(POLL_MS)
  }
}
