import { systemClock, type Clock } from '@tutti/runtime'
import type { FileStore, RunOwnerState } from '@tutti/storage'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { openProject } from '../setup/project.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { writeOut } from '../write-out.ts'

const POLL_MS = 100
const WAIT_MS = 15_000

/** Asks the process that owns a run to stop it, and waits until the run has ended. */
export async function stopCommand(runId: string, { io }: { io: Io; terminal: Terminal }): Promise<number> {
  const clock = io.clock ?? systemClock()
  const { store } = await openProject(io, {
    onWarning: message => io.stderr.write(`warning ${message}\n`),
  })
  const owner = await store.owner(runId)
  const { status } = (await store.load(runId)).record
  if (owner === undefined || !owner.alive) {
    if (status !== 'running' && status !== 'pending') {
      await writeOut(io.stdout, `${runId} has already ended: ${word(status)}\n`)
      return EXIT.completed
    }
    throw new UsageError(
      `run ${runId} is interrupted: the process that ran it is gone, so there is nothing to stop`,
      `To go on with it: tutti resume ${runId}`,
      'run-has-no-owner',
    )
  }
  if (!owner.local) throw elsewhere(runId, owner)
  process.kill(owner.pid, 'SIGTERM')
  const ended = await waitForEnd(store, runId, { owner, clock })
  await writeOut(io.stdout, `${runId} ${ended}\n`)
  return EXIT.completed
}

/** Resolves to the status of the record once the owner has given the run up. */
async function waitForEnd(
  store: FileStore,
  runId: string,
  { owner, clock }: { owner: RunOwnerState; clock: Clock },
): Promise<string> {
  const deadline = clock.now() + WAIT_MS
  while (clock.now() < deadline) {
    const now = await store.owner(runId)
    if (now === undefined || !now.alive || now.fence !== owner.fence) {
      const { status } = (await store.load(runId)).record
      return status === 'running' ? 'interrupted' : word(status)
    }
    await new Promise<void>(resolve => clock.timer(POLL_MS, resolve))
  }
  throw new Error(
    `process ${owner.pid} was asked to stop run ${runId} but has not done so within ${WAIT_MS / 1000} s; it may still do it`,
  )
}

/** `killed` is for programs. */
function word(status: string): string {
  return status === 'killed' ? 'stopped' : status
}

function elsewhere(runId: string, owner: RunOwnerState): UsageError {
  return new UsageError(
    `run ${runId} is owned by process ${owner.pid} on ${owner.host}, which cannot be reached from here`,
    `Run this on ${owner.host}: tutti stop ${runId}`,
    'run-is-owned',
  )
}
