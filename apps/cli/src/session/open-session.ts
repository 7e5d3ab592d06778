import { createProcessGroups } from '@tutti/agents'
import { createGovernor, type Chat } from '@tutti/agents/chat'
import { resolveDialect } from '@tutti/protocol'
import type { Clock, Random } from '@tutti/runtime'
import {
  createFrameWriter,
  createSession,
  type HostSetup,
  type Session,
  type SessionEnd,
} from '@tutti/session'
import { openAgentTypes } from '@tutti/storage'
import type { Io } from '../io.ts'
import { openProject } from '../setup/project.ts'
import type { Terminal } from '../terminal.ts'
import { withHostAgents } from './host-agents.ts'
import { jsonOrFile } from './json-or-file.ts'
import { modelList } from './model-list.ts'
import { narrowSink } from './narrow-sink.ts'
import { openChat } from './open-chat.ts'
import { openDesk } from './open-desk.ts'
import { openHistory } from './open-history.ts'
import { readPrompt } from './read-prompt.ts'
import { reportSession } from './report-session.ts'
import { requireModel } from './require-model.ts'
import { sessionConfig } from './session-config.ts'
import type { SessionFlags } from './session-flags.ts'

export interface SessionParts {
  io: Io
  clock: Clock
  random: Random
  /** One line for people. */
  note(text: string): void
}

/** A session that has begun. Disposing ends what its agents left running. */
export interface OpenedSession extends AsyncDisposable {
  session: Session
  /** Writes what the output format shows at the end; gives the exit code. */
  report(end: SessionEnd, terminal: Terminal): Promise<number>
}

/** Puts a session together from flags and project, and begins it. Throws for anything that speaks against it. */
export async function openSession(flags: SessionFlags, parts: SessionParts): Promise<OpenedSession> {
  const { io, clock, random, note } = parts
  const opened = await openProject(io, {
    clock,
    random,
    tellIgnored: true,
    onWarning: message => note(`warning ${message}`),
    settings: flags.settings,
    settingSources: flags.settingSources,
    trustProject: flags.trustProject,
  })
  const { cwd, root, env } = opened
  const config = await sessionConfig(flags, opened)
  const { settings } = config
  const project = { ...opened, settings }
  const flagAgents = flags.agents === undefined ? {} : await jsonOrFile(flags.agents, '--agents', cwd)
  const { lease: takeLease, ...history } = await openHistory(flags, { project, ...parts })
  const prompts = await promptsOf(flags, parts)
  if (config.print) await requireModel(project, prompts)

  let setup: HostSetup | undefined
  let chat: Chat | undefined
  const fileTypes = openAgentTypes({ cwd, root })
  const ownTypes = withHostAgents(fileTypes, () => flagAgents)
  const agentTypes = withHostAgents(fileTypes, () => ({ ...flagAgents, ...setup?.agents }))
  const groups = createProcessGroups()
  // Commands of agents have process groups of their own and would outlive us.
  const stopListening = io.onExit(() => groups.killAll())
  const dialect = resolveDialect(flags.dialect ?? settings.tutti?.dialect, env)
  const shared = { project, config, agentTypes, groups, governor: createGovernor(clock), clock, random }
  const lease = await takeLease()
  const session = createSession(
    {
      input: flags.inputFormat === 'stream-json' ? io.stdin : undefined,
      prompts,
      output:
        flags.outputFormat === 'stream-json' ? createFrameWriter(io.stdout) : narrowSink(io.stdout, note),
      note: line => void io.stderr.write(`${line}\n`),
    },
    {
      ...history,
      cwd,
      dialect,
      clock,
      random,
      config,
      env,
      async openChat(initial, given) {
        setup = given
        const projectInstructions = flags.settingSources?.includes('project') ?? true
        const messages = history.earlier?.messages
        chat = await openChat(initial, { ...shared, projectInstructions, messages })
        return chat
      },
      async openDesk(host, given) {
        setup = given
        const model = (): string | undefined => nameOf((chat?.config ?? config).model)
        return openDesk(host, { ...shared, flags, dialect, note, model })
      },
      models: () => modelList(project),
      agents: async () =>
        (await ownTypes.list())
          .filter(({ name }) => !Object.hasOwn(setup?.agents ?? {}, name))
          .map(({ name, description = '', model }) => ({ name, description, model })),
      replayUserMessages: flags.replayUserMessages,
      verbose: flags.verbose,
    },
  )
  return {
    session,
    report: (end, terminal) => reportSession(end, { flags, io, terminal }),
    async [Symbol.asyncDispose]() {
      stopListening()
      groups.killAll()
      await history.log?.close()
      await lease?.release()
    },
  }
}

/** A host may say so for none. */
function nameOf(model: string | undefined): string | undefined {
  return model === 'default' ? undefined : model
}

async function promptsOf(flags: SessionFlags, { io, clock, note }: SessionParts): Promise<string[]> {
  if (flags.inputFormat === 'stream-json') return flags.prompt === undefined ? [] : [flags.prompt]
  return [await readPrompt({ words: flags.prompt, stdin: io.stdin, clock, note })]
}
