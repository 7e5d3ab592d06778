export { CauseSchema, EffectsSchema } from './cause.ts'
export type { Checked } from './check-value.ts'
export { checkSettings, checkValue, pathText } from './check-value.ts'
export {
  AgentRequestSchema,
  AnswerRequestSchema,
  CanUseToolRequestSchema,
  ControlRequestSchema,
  HookCallbackRequestSchema,
  InitializeRequestSchema,
  InterruptRequestSchema,
  McpMessageRequestSchema,
  PlainRequestSchema,
  RaiseLimitsRequestSchema,
  SetMaxThinkingTokensRequestSchema,
  SetModelRequestSchema,
  SetPermissionModeRequestSchema,
  StopTaskRequestSchema,
  TaskRequestSchema,
} from './control-requests.ts'
export {
  AgentInfoSchema,
  CanUseToolAllowedSchema,
  CanUseToolAllowSchema,
  CanUseToolDenySchema,
  CanUseToolResponseSchema,
  CommandInfoSchema,
  InitializeResponseSchema,
  InterruptResponseSchema,
  McpMessageResponseSchema,
  McpServerStatusSchema,
  McpStatusResponseSchema,
  ModelInfoSchema,
  SetPermissionModeResponseSchema,
} from './control-responses.ts'
export {
  ControlCancelFrameSchema,
  ControlFailureSchema,
  ControlRequestFrameSchema,
  ControlResponseFrameSchema,
  ControlSuccessSchema,
  InFrameSchema,
  OutFrameSchema,
} from './frames.ts'
export {
  AnswerEntrySchema,
  AskEntrySchema,
  DeliveredEntrySchema,
  FailedEntrySchema,
  JournalEntrySchema,
  JournalLineSchema,
  JournalStampSchema,
  LaunchedEntrySchema,
  ResultEntrySchema,
  ResultOriginSchema,
  RunEndEntrySchema,
  StartedEntrySchema,
  TimerEntrySchema,
} from './journal.ts'
export type { Issue } from './issue.ts'
export { jsonSchemas, toJsonSchema } from './json-schemas.ts'
export { JsonObjectSchema, JsonValueSchema } from './json.ts'
export {
  AssistantFrameSchema,
  ContentBlockSchema,
  FrameStampSchema,
  InitFrameSchema,
  KeepAliveFrameSchema,
  ResultFrameSchema,
  StampedUserFrameSchema,
  StreamEventFrameSchema,
  UserFrameSchema,
} from './message-frames.ts'
export { PhaseBudgetSchema, PhaseMetaSchema, WorkflowMetaSchema } from './meta.ts'
export {
  AgentRowSchema,
  AgentRowStateSchema,
  LogRowSchema,
  PhaseRowSchema,
  ProgressRowSchema,
  RecordAgentRowSchema,
  WorktreeReportSchema,
} from './progress.ts'
export {
  AttemptSummarySchema,
  FinishedAgentSchema,
  ForkOriginSchema,
  PartialRunLimitsSchema,
  RunFailureSchema,
  RunLimitsSchema,
  RunOutputSchema,
  RunOwnerSchema,
  RunRecordSchema,
  RunStatusSchema,
  SerializedErrorSchema,
  TranscriptMetaSchema,
} from './record.ts'
export {
  BackendSettingsSchema,
  DialectSettingSchema,
  ModelPriceSchema,
  McpServerSettingsSchema,
  PermissionSettingsSchema,
  SandboxSettingsSchema,
  SettingsSchema,
  TuttiSettingsSchema,
} from './settings.ts'
export {
  BackgroundTaskSchema,
  BackgroundTasksChangedFrameSchema,
  NotificationStatusSchema,
  TaskFrameSchema,
  TaskNotificationFrameSchema,
  TaskPatchSchema,
  TaskProgressFrameSchema,
  TaskStartedFrameSchema,
  TaskUpdatedFrameSchema,
} from './task-frames.ts'
export { WorkflowToolInputSchema, WorkflowToolOutputSchema } from './tool.ts'
export { AgentUsageSchema, CensusSchema, RunUsageSchema, TaskUsageSchema, TokenUsageSchema } from './usage.ts'
