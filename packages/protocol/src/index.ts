export type { BreakerCause, Cause, Effects, TransientCause } from './cause.ts'
export { BREAKER_CAUSES, CAUSES, EFFECTS, TRANSIENT_CAUSES } from './cause.ts'
export type {
  AgentRequest,
  AnswerRequest,
  CanUseToolRequest,
  ControlCancelFrame,
  ControlFailure,
  ControlRequest,
  ControlRequestFrame,
  ControlResponseFrame,
  ControlSuccess,
  HookCallbackRequest,
  InFrame,
  InitializeRequest,
  InterruptRequest,
  McpMessageRequest,
  OutFrame,
  PlainRequest,
  RaiseLimitsRequest,
  SetMaxThinkingTokensRequest,
  SetModelRequest,
  SetPermissionModeRequest,
  StopTaskRequest,
  TaskRequest,
} from './control.ts'
export { CONTROL_SUBTYPES, IN_FRAME_TYPES, OUT_FRAME_TYPES, PLAIN_SUBTYPES } from './control.ts'
export type {
  AgentInfo,
  CanUseToolAllow,
  CanUseToolAllowed,
  CanUseToolDeny,
  CanUseToolResponse,
  CommandInfo,
  InitializeResponse,
  InterruptResponse,
  McpMessageResponse,
  McpServerStatus,
  McpStatusResponse,
  ModelInfo,
  SetPermissionModeResponse,
} from './control-responses.ts'
export type { Dialect, DialectContext } from './dialect.ts'
export { latestActivity, mapFrame, resolveDialect } from './dialect.ts'
export type {
  AssistantFrame,
  BackgroundTask,
  BackgroundTasksChangedFrame,
  ContentBlock,
  FrameStamp,
  InitFrame,
  KeepAliveFrame,
  NotificationStatus,
  ResultFrame,
  StreamEventFrame,
  TaskFrame,
  TaskNotificationFrame,
  TaskPatch,
  TaskProgressFrame,
  TaskStartedFrame,
  TaskUpdatedFrame,
  UnknownFrame,
  UserFrame,
} from './frames.ts'
export { NOTIFICATION_STATUSES, TASK_SUBTYPES } from './frames.ts'
export {
  FOREIGN_RUN_ID_PATTERN,
  KEY_PATTERN,
  RUN_ID_PATTERN,
  SESSION_ID_PATTERN,
  TASK_ID_PATTERN,
  TRANSCRIPT_ID_PATTERN,
} from './ids.ts'
export type {
  AnswerEntry,
  AskEntry,
  DeliveredEntry,
  FailedEntry,
  JournalEntry,
  JournalLine,
  JournalStamp,
  LaunchedEntry,
  ResultEntry,
  ResultOrigin,
  RunEndEntry,
  StartedEntry,
  TimerEntry,
} from './journal.ts'
export { JOURNAL_LINE_TYPES } from './journal.ts'
export type { JsonObject, JsonValue } from './json.ts'
export { isJsonObject, isJsonValue } from './json.ts'
export type { PhaseBudget, PhaseMeta, WorkflowMeta } from './meta.ts'
export type { BadLineReason, DecodedLine, LineDecoder, LineDecoderOptions } from './ndjson.ts'
export { createLineDecoder, decodeLines, encodeLine, MAX_LINE_BYTES } from './ndjson.ts'
export type { AgentRow, AgentRowState, LogRow, PhaseRow, ProgressRow, WorktreeReport } from './progress.ts'
export { AGENT_ROW_STATES, PROGRESS_ROW_TYPES } from './progress.ts'
export type {
  AttemptSummary,
  FinishedAgent,
  ForkOrigin,
  RecordAgentRow,
  RunFailure,
  RunLimits,
  RunOutput,
  RunOwner,
  RunRecord,
  RunStatus,
  SerializedError,
  TranscriptMeta,
} from './record.ts'
export { RUN_STATUSES } from './record.ts'
export type {
  BackendKind,
  BackendSettings,
  DialectSetting,
  McpServerSettings,
  ModelPrice,
  PermissionSettings,
  SandboxSettings,
  Settings,
  TuttiSettings,
} from './settings.ts'
export { applyFrame } from './task-fold.ts'
export type { TaskState, TaskStatus, TrackerState } from './task-state.ts'
export { emptyTrackerState, LATE_PROGRESS_MS } from './task-state.ts'
export { TaskTracker } from './task-tracker.ts'
export {
  boundError,
  boundLabel,
  boundLog,
  boundPreview,
  clip,
  ERROR_LIMIT,
  LABEL_LIMIT,
  LOG_LIMIT,
  PREVIEW_LIMIT,
  stripControl,
} from './text-bounds.ts'
export type { WorkflowToolInput, WorkflowToolOutput } from './tool.ts'
export type { AgentUsage, Census, RunUsage, TaskUsage, TokenUsage } from './usage.ts'
export { PROTOCOL_VERSION, SCHEMA_VERSION, WIRE_BASELINE } from './version.ts'
