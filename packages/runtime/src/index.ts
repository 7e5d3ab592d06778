export { prepareArgs } from './check/args.ts'
export { checkScript } from './check/check-script.ts'
export { formatFindings } from './check/format-findings.ts'
export { scriptInvalid } from './check/script-invalid.ts'
export { nearest } from './check/nearest.ts'
export type { CheckResult, Finding, FindingRule } from './check/types.ts'
export {
  AgentLimitError,
  BudgetError,
  ChildWorkflowError,
  DeadlockError,
  JournalError,
  LeaseError,
  RunNotFoundError,
  RunStoppedError,
  SandboxError,
  ScriptError,
  ScriptMemoryError,
  ScriptTimeoutError,
  StructuredOutputError,
  WorkflowInputError,
  WorkflowNotFoundError,
} from './errors/errors.ts'
export type { InputErrorCode } from './errors/errors.ts'
export { isTuttiError, serializeError, TuttiError } from './errors/tutti-error.ts'
export type { ErrorDetails } from './errors/tutti-error.ts'
export type {
  AgentCall,
  AgentContext,
  AgentContinuation,
  AgentEvent,
  AgentExecution,
  AgentExecutor,
  AgentFailure,
  AgentIsolation,
  AgentOutcome,
  AgentSuccess,
  AskPermission,
  ExecutorCapabilities,
  PermissionAnswer,
  PermissionAsker,
  PermissionQuestion,
  PermissionSource,
  SchemaIssue,
  SubmissionVerdict,
  TranscriptLine,
} from './ports/agent-executor.ts'
export type { AgentTypeDefinition, AgentTypes } from './ports/agent-types.ts'
export type { ReusableCall, ReusableRun } from './ports/reusable-run.ts'
export { BUILT_IN_AGENT_TYPES, builtInAgentTypes, SUBAGENT_NOTE } from './ports/built-in-agent-types.ts'
export type { Clock, Timer } from './ports/clock.ts'
export type { Logger, LogLevel } from './ports/logger.ts'
export type { Random } from './ports/random.ts'
export type {
  DamagedLine,
  RunCreation,
  RunLocations,
  RunStore,
  RunSummary,
  RunWriter,
  StoredRun,
  TranscriptSink,
} from './ports/run-store.ts'
export type { WorkflowRef, WorkflowSource, WorkflowText } from './ports/workflow-source.ts'
export { createRuntime } from './run/create-runtime.ts'
export { newRunId, newSessionId, newTaskId, newTranscriptId } from './run/ids.ts'
export { defaultLimits } from './run/limits.ts'
export type { LaunchEstimate, PastRuns, PlannedMiss, PlannedRest, ReplayPlan } from './run/plan-types.ts'
export type {
  CacheMode,
  ForkOptions,
  LaunchOptions,
  ResumeOptions,
  RetryRequest,
  RunEnd,
  RunEvent,
  RunHandle,
  Runtime,
  RuntimeOptions,
  ScriptInput,
} from './run/types.ts'
export { ENGINE_BUILD } from './sandbox/engine-build.ts'
export { canonicalJson } from './schema/canonical-json.ts'
export { createSchemaCompiler } from './schema/compile-schema.ts'
export type { SchemaCompiler } from './schema/compile-schema.ts'
export { sha256 } from './schema/hash.ts'
export type { SchemaValidator } from './schema/types.ts'
export { systemClock } from './system/system-clock.ts'
export { systemRandom } from './system/system-random.ts'
