import type { BackendsOptions, ProcessGroups } from '@tutti/agents'
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
}

/** The workflows of a session, over the project's store, settings and backends. */
export function openDesk(host: DeskHost, options: OpenDeskOptions): WorkflowDesk {
  const { project, config, flags, dialect, agentTypes, groups, governor, clock, random, note } = options
  const { cwd, root, env, settings, store } = project
  const { backend, allowShell } = flags
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
    launchDefaults: () => ({ model: config.model, backend, cache: settings.tutti?.cache }),
    warn: note,
    runtimeFor({ settings: permissions, ask }) {
      const allowed: Project = { ...project, settings: { ...settings, permissions } }
      const parts = { groups, governor, clock, random, agentTypes, permission: ask }
      return createProjectRuntime(allowed, { flags: { backend, allowShell }, ...parts }).runtime
    },
  })
}
