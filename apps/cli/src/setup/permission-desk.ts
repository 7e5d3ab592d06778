import type {
  AskPermission,
  Clock,
  PermissionAnswer,
  PermissionAsker,
  PermissionQuestion,
  Timer,
} from '@tutti/runtime'

/** One question at a time, as a person is asked it. */
export interface AskedPerson {
  question: PermissionQuestion
  asker: PermissionAsker
  /** What "always" would allow, in words. */
  always: string
  /** Time until the question is given up. */
  leftMs(): number
  /** Questions behind this one. */
  waiting(): number
  /** Aborted when no answer is needed any more. */
  signal: AbortSignal
}

export type PersonAnswer = 'yes' | 'no' | 'always' | 'none'

export interface PermissionDeskOptions {
  clock: Clock
  /** How long a question waits, also behind others. Default: five minutes. */
  waitMs?: number
  /** Asks the person; `none`: there was no answer. Called for one question at a time. */
  ask(asked: AskedPerson): Promise<PersonAnswer>
  /** Nobody answered in time. */
  onUnanswered(asked: AskedPerson, reason: string): void
}

const WAIT_MS = 5 * 60_000

/**
 * Puts questions of agents before one person, in the order they come. A question that was given up is denied, and so
 * is one whose agent ended. What was allowed for the run is not asked again.
 */
export function createPermissionDesk(options: PermissionDeskOptions): AskPermission {
  const { clock, waitMs = WAIT_MS } = options
  const allowed = new Set<string>()
  const queue: Entry[] = []
  let busy = false

  async function serve(): Promise<void> {
    busy = true
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      if (entry.open && allowed.has(entry.scope.key)) entry.settle(FOR_THE_RUN)
      // One whose time is up at this moment is about to be given up.
      if (entry.open && entry.asked.leftMs() > 0) await askAbout(entry)
    }
    busy = false
  }

  async function askAbout(entry: Entry): Promise<void> {
    const { asked, scope } = entry
    const answer = await options.ask(asked).catch((): PersonAnswer => 'none')
    if (!entry.open) return
    if (answer === 'always') allowed.add(scope.key)
    entry.settle(ANSWERS[answer])
  }

  return (question, asker) => {
    const scope = scopeOf(question)
    if (allowed.has(scope.key)) return Promise.resolve(FOR_THE_RUN)
    return new Promise(resolve => {
      const entry = createEntry(
        { question, asker, scope, waitMs, waiting: () => queue.length },
        options,
        resolve,
      )
      queue.push(entry)
      if (!busy) void serve()
    })
  }

  function createEntry(given: Given, { onUnanswered }: PermissionDeskOptions, resolve: Resolve): Entry {
    const { question, asker, scope } = given
    const until = clock.now() + given.waitMs
    const ending = new AbortController()
    const asked: AskedPerson = {
      question,
      asker,
      always: scope.words,
      leftMs: () => Math.max(0, until - clock.now()),
      waiting: given.waiting,
      signal: ending.signal,
    }
    const entry: Entry = {
      asked,
      scope,
      open: true,
      settle(answer) {
        if (!entry.open) return
        entry.open = false
        timer?.cancel()
        asker.signal?.removeEventListener('abort', onEnded)
        ending.abort()
        resolve(answer)
      },
    }
    const giveUp = (source: 'time' | 'nobody', reason: string): void => {
      if (entry.open && source === 'time') onUnanswered(asked, reason)
      entry.settle({ allowed: false, source, reason })
    }
    const onEnded = (): void => giveUp('nobody', 'the agent ended while it was asked')
    const timer: Timer | undefined = clock.timer(given.waitMs, () =>
      giveUp('time', `nobody answered within ${Math.round(given.waitMs / 1000)} s`),
    )
    asker.signal?.addEventListener('abort', onEnded, { once: true })
    if (asker.signal?.aborted === true) onEnded()
    return entry
  }
}

type Resolve = (answer: PermissionAnswer) => void

interface Given {
  question: PermissionQuestion
  asker: PermissionAsker
  scope: Scope
  waitMs: number
  waiting(): number
}

interface Entry {
  asked: AskedPerson
  scope: Scope
  open: boolean
  settle(answer: PermissionAnswer): void
}

const FOR_THE_RUN: PermissionAnswer = {
  allowed: true,
  source: 'person',
  reason: 'allowed for this run by the person at the terminal',
}

const ANSWERS: Record<PersonAnswer, PermissionAnswer> = {
  yes: { allowed: true, source: 'person', reason: 'allowed by the person at the terminal' },
  always: FOR_THE_RUN,
  no: { allowed: false, source: 'person', reason: 'denied by the person at the terminal' },
  none: { allowed: false, source: 'nobody', reason: 'the person at the terminal gave no answer' },
}

/** What "always" stretches to: no further than what was shown. */
interface Scope {
  key: string
  words: string
}

const FILE_TOOLS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Read'])

function scopeOf({ tool, input }: PermissionQuestion): Scope {
  const { command, file_path: path, url } = input
  if (tool === 'Bash') return { key: key(tool, command), words: 'this command' }
  if (FILE_TOOLS.has(tool) && typeof path === 'string') return { key: key(tool, path), words: 'this file' }
  if (tool === 'WebFetch' && typeof url === 'string' && URL.canParse(url)) {
    const { host } = new URL(url)
    return { key: key(tool, host), words: host }
  }
  return { key: key(tool), words: `all of ${tool}` }
}

function key(...parts: unknown[]): string {
  return JSON.stringify(parts)
}
