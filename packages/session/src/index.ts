export type { BackgroundTask, BackgroundTasks, BackgroundTasksOptions } from './background-tasks.ts'
export { createBackgroundTasks } from './background-tasks.ts'
export { createSession } from './create-session.ts'
export type { FrameTarget, FrameWriter, OutgoingFrame } from './frame-writer.ts'
export { createFrameWriter } from './frame-writer.ts'
export type { LaunchFrameOptions } from './launch-result.ts'
export { launchFrame, launchResult, launchText, syntheticToolUseId } from './launch-result.ts'
export type { NotificationTextOptions } from './notification-text.ts'
export { notificationText } from './notification-text.ts'
export { censusText, notificationStatus, runSummary } from './run-summary.ts'
export type { SessionConfig } from './session-config.ts'
export type { Scrubber } from './output/secrets.ts'
export { createScrubber } from './output/secrets.ts'
export type {
  FrameSink,
  HostSetup,
  Session,
  SessionEnd,
  SessionIo,
  SessionOptions,
  StopSignal,
} from './session-options.ts'
export { randomUuid } from './stamp.ts'
export type { TaskStream, TaskStreamOptions } from './task-stream.ts'
export { createTaskStream } from './task-stream.ts'
export type { ChosenSession, SessionWish } from './transcript/choose-session.ts'
export { chooseSession } from './transcript/choose-session.ts'
export type { TranscriptLine } from './transcript/transcript-line.ts'
export type { TranscriptLogOptions } from './transcript/write-transcript.ts'
export { createTranscriptLog } from './transcript/write-transcript.ts'
export type { EarlierSession, TranscriptDetails, TranscriptLog } from './transcript-log.ts'
export type { SwitchPlaces } from './workflow-switch.ts'
export { workflowSwitch } from './workflow-switch.ts'
export { createWorkflowDesk } from './workflow/create-desk.ts'
export type {
  DeskStore,
  LaunchDefaults,
  RunPermissions,
  WorkflowDeskOptions,
} from './workflow/desk-options.ts'
export type { EffortSigns } from './workflow/high-effort.ts'
export { HIGH_EFFORT, wantsHighEffort } from './workflow/high-effort.ts'
export { scrubExecutor } from './workflow/scrub-executor.ts'
export type { SizeGuideline } from './workflow/size-guideline.ts'
export { sizeGuideline } from './workflow/size-guideline.ts'
export type {
  AgentPermissionQuestion,
  DeskCommand,
  DeskHost,
  EndedWorkflow,
  InstructionOptions,
  LaunchAnswer,
  LaunchQuestion,
  WorkflowDesk,
} from './workflow/types.ts'
