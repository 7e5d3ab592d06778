import { z } from 'zod'
import type {
  BackgroundTask,
  BackgroundTasksChangedFrame,
  NotificationStatus,
  TaskFrame,
  TaskNotificationFrame,
  TaskPatch,
  TaskProgressFrame,
  TaskStartedFrame,
  TaskUpdatedFrame,
} from '../frames.ts'
import { NOTIFICATION_STATUSES } from '../frames.ts'
import { objectOf } from './object-of.ts'
import { closedUnion } from './open-union.ts'
import { ProgressRowSchema } from './progress.ts'
import { RunStatusSchema } from './record.ts'
import { TaskUsageSchema } from './usage.ts'

const common = { type: z.literal('system'), uuid: z.string(), session_id: z.string() }

export const TaskStartedFrameSchema: z.ZodType<TaskStartedFrame> = objectOf<TaskStartedFrame>()({
  ...common,
  subtype: z.literal('task_started'),
  task_id: z.string(),
  tool_use_id: z.string().optional(),
  task_type: z.string(),
  workflow_name: z.string().optional(),
  description: z.string(),
  prompt: z.string().optional(),
})

export const TaskProgressFrameSchema: z.ZodType<TaskProgressFrame> = objectOf<TaskProgressFrame>()({
  ...common,
  subtype: z.literal('task_progress'),
  task_id: z.string(),
  tool_use_id: z.string().optional(),
  description: z.string(),
  usage: TaskUsageSchema,
  workflow_progress: z.array(ProgressRowSchema).min(1).optional(),
  last_tool_name: z.string().optional(),
})

export const TaskPatchSchema: z.ZodType<TaskPatch> = objectOf<TaskPatch>()({
  status: RunStatusSchema,
  end_time: z.number().optional(),
  error: z.string().optional(),
})

export const TaskUpdatedFrameSchema: z.ZodType<TaskUpdatedFrame> = objectOf<TaskUpdatedFrame>()({
  ...common,
  subtype: z.literal('task_updated'),
  task_id: z.string(),
  patch: TaskPatchSchema,
})

export const NotificationStatusSchema: z.ZodType<NotificationStatus> = z.enum(NOTIFICATION_STATUSES)

export const TaskNotificationFrameSchema: z.ZodType<TaskNotificationFrame> =
  objectOf<TaskNotificationFrame>()({
    ...common,
    subtype: z.literal('task_notification'),
    task_id: z.string(),
    tool_use_id: z.string().optional(),
    status: NotificationStatusSchema,
    summary: z.string(),
    output_file: z.string(),
    usage: TaskUsageSchema,
  })

export const BackgroundTaskSchema: z.ZodType<BackgroundTask> = objectOf<BackgroundTask>()({
  task_id: z.string(),
  task_type: z.string(),
  description: z.string(),
})

export const BackgroundTasksChangedFrameSchema: z.ZodType<BackgroundTasksChangedFrame> =
  objectOf<BackgroundTasksChangedFrame>()({
    ...common,
    subtype: z.literal('background_tasks_changed'),
    tasks: z.array(BackgroundTaskSchema),
  })

export const TaskFrameSchema: z.ZodType<TaskFrame> = closedUnion<TaskFrame>('subtype', [
  TaskStartedFrameSchema,
  TaskProgressFrameSchema,
  TaskUpdatedFrameSchema,
  TaskNotificationFrameSchema,
  BackgroundTasksChangedFrameSchema,
])
