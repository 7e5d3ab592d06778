export { openAgentTypes } from './agent-types/open-agent-types.ts'
export type { AgentTypeProblem, AgentTypesOptions, FileAgentTypes } from './agent-types/open-agent-types.ts'
export type { FileHandle, FileSystem } from './files/file-system.ts'
export type {
  ForeignAgent,
  ForeignProduct,
  ForeignRun,
  ForeignRunLocations,
  ForeignRunSummary,
} from './foreign/foreign-run.ts'
export { readForeignRun } from './foreign/read-foreign-run.ts'
export type { ReadForeignOptions } from './foreign/read-foreign-run.ts'
export type { LayoutName } from './layout.ts'
export { projectSlug } from './layout.ts'
export type { RunOwnerState } from './lease/judge-owner.ts'
export type { LockContent } from './lease/lock-file.ts'
export { openStore } from './open-store.ts'
export type { FileStore, StoreOptions } from './open-store.ts'
export type { PrunedSession } from './prune/prune-sessions.ts'
export type { PrunedRun, PruneOptions, PruneReport } from './prune/prune-runs.ts'
export { resolveCodebuddyRoot, resolveRoot } from './root.ts'
export type { UnreadableRun } from './run/list-runs.ts'
export type { SessionLease } from './session/session-lease.ts'
export { openSessionFiles, TRANSCRIPT_PROGRAM } from './session/session-files.ts'
export type {
  ListedSession,
  SessionFile,
  SessionFiles,
  SessionFilesOptions,
} from './session/session-files.ts'
export { SETTING_VARIABLES } from './settings/environment.ts'
export { loadSettings } from './settings/load-settings.ts'
export type { LoadedSettings, SettingsOptions } from './settings/load-settings.ts'
export type { MergedSettings } from './settings/merge-settings.ts'
export type { IgnoredSetting } from './settings/restrict-project.ts'
export type { SettingsOrigin, SettingsSourceName } from './settings/settings-source.ts'
export { openApprovedScripts } from './workflows/approved-scripts.ts'
export type { ApprovedScripts, ApprovedScriptsOptions } from './workflows/approved-scripts.ts'
export type { BundledWorkflow } from './workflows/discover-workflows.ts'
export { openWorkflows } from './workflows/open-workflows.ts'
export type { SavedWorkflows, WorkflowsOptions } from './workflows/open-workflows.ts'
export type { SavedWorkflow, WorkflowOrigin } from './workflows/saved-workflow.ts'
