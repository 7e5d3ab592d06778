import { z } from 'zod'
import type {
  ControlCancelFrame,
  ControlFailure,
  ControlRequestFrame,
  ControlResponseFrame,
  ControlSuccess,
  InFrame,
  OutFrame,
} from '../control.ts'
import { IN_FRAME_TYPES, OUT_FRAME_TYPES } from '../control.ts'
import { TASK_SUBTYPES } from '../frames.ts'
import { ControlRequestSchema } from './control-requests.ts'
import { JsonObjectSchema } from './json.ts'
import {
  AssistantFrameSchema,
  InitFrameSchema,
  KeepAliveFrameSchema,
  ResultFrameSchema,
  StampedUserFrameSchema,
  StreamEventFrameSchema,
  UserFrameSchema,
} from './message-frames.ts'
import { objectOf } from './object-of.ts'
import { closedUnion, openUnion, orUnknown, unknownKind } from './open-union.ts'
import {
  BackgroundTasksChangedFrameSchema,
  TaskNotificationFrameSchema,
  TaskProgressFrameSchema,
  TaskStartedFrameSchema,
  TaskUpdatedFrameSchema,
} from './task-frames.ts'

export const ControlRequestFrameSchema: z.ZodType<ControlRequestFrame> = objectOf<ControlRequestFrame>()({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: ControlRequestSchema,
})

export const ControlSuccessSchema: z.ZodType<ControlSuccess> = objectOf<ControlSuccess>()({
  subtype: z.literal('success'),
  request_id: z.string(),
  response: JsonObjectSchema.optional(),
})

export const ControlFailureSchema: z.ZodType<ControlFailure> = objectOf<ControlFailure>()({
  subtype: z.literal('error'),
  request_id: z.string(),
  error: z.string(),
})

export const ControlResponseFrameSchema: z.ZodType<ControlResponseFrame> = objectOf<ControlResponseFrame>()({
  type: z.literal('control_response'),
  response: closedUnion<ControlSuccess | ControlFailure>('subtype', [
    ControlSuccessSchema,
    ControlFailureSchema,
  ]),
})

export const ControlCancelFrameSchema: z.ZodType<ControlCancelFrame> = objectOf<ControlCancelFrame>()({
  type: z.literal('control_cancel_request'),
  request_id: z.string(),
})

/** Lines of unknown type pass. */
export const InFrameSchema: z.ZodType<InFrame> = openUnion<InFrame>({
  tag: 'type',
  known: IN_FRAME_TYPES,
  variants: [
    UserFrameSchema,
    ControlRequestFrameSchema,
    ControlResponseFrameSchema,
    ControlCancelFrameSchema,
    KeepAliveFrameSchema,
  ],
})

const system = closedUnion<OutFrame>('subtype', [
  InitFrameSchema,
  TaskStartedFrameSchema,
  TaskProgressFrameSchema,
  TaskUpdatedFrameSchema,
  TaskNotificationFrameSchema,
  BackgroundTasksChangedFrameSchema,
])

const known = closedUnion<OutFrame>('type', [
  system,
  AssistantFrameSchema,
  StampedUserFrameSchema,
  ResultFrameSchema,
  StreamEventFrameSchema,
  ControlRequestFrameSchema,
  ControlResponseFrameSchema,
  ControlCancelFrameSchema,
  KeepAliveFrameSchema,
])

/** Lines of unknown type, and `system` lines of unknown subtype, pass. */
export const OutFrameSchema: z.ZodType<OutFrame> = orUnknown<OutFrame>(
  known,
  unknownKind('subtype', ['init', ...TASK_SUBTYPES], { type: z.literal('system') }),
  unknownKind('type', OUT_FRAME_TYPES),
)
