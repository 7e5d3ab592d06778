import { chooseDefaultBackend, type BackendsOptions, type ProcessGroups } from '@tutti/agents'
import type { Dialect } from '@tutti/protocol'
import type { AgentTypes, Clock, Random } from '@tutti/runtime'
import { createWorkflowDesk, type DeskHost, type SessionConfig, type WorkflowDesk } from '@tutti/session'
import { openApprovedScripts, openWorkflows } from '@tutti/storage'
import type { Project } from '../setup/project.ts'
import { createProjectRuntime } from '../setup/project-runtime.ts'
import type { SessionFlags } from './session-flags.ts'

export interface OpenDeskOptions {
  project: Project
  config: SessionConfig
  flags: SessionFlags
  dialect: Dialect
  agentTypes: AgentTypes
  groups: ProcessGroups
  governor: BackendsOptions['governor']
  clock: Clock
  random: Random
  note(text: string): void
  /** What the session talks to now. */
  model(): string | undefined
}

/** The workflows of a session, over the project's store, settings and backends. */
export function openDesk(host: DeskHost, options: OpenDeskOptions): WorkflowDesk {
  const { project, config, flags, dialect, agentTypes, groups, governor, clock, random, note, model } =
    options
  const { cwd, root, env, settings, store } = project
  const { backend, allowShell } = flags
  const toModels = (backend ?? chooseDefaultBackend(env, settings).name) === 'model'
  return createWorkflowDesk({
    host,
    cwd,
    root,
    env,
    settings,
    dialect,
    clock,
    random,
    store,
    workflows: openWorkflows({ cwd, root }),
    approved: openApprovedScripts({ cwd, root, clock, random }),
    additionalDirectories: config.additionalDirectories,
    launchDefaults: () => ({
      // Names of models mean nothing to other backends.
      model: toModels ? model() : settings.model,
      backend,
      cache: settings.tutti?.cache,
    }),
    warn: note,
    runtimeFor({ settings: permissions, ask }) {
      const allowed: Project = { ...project, settings: { ...settings, permissions } }
      const parts = { groups, governor, clock, random, agentTypes, permission: ask }
      return createProjectRuntime(allowed, { flags: { backend, allowShell }, ...parts }).runtime
    },
  })
}
