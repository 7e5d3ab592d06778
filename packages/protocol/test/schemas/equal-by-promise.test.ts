import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { JsonObject } from '../../src/json.ts'
import * as schemas from '../../src/schemas/index.ts'
import { text, versions } from '../fixtures.ts'

type Promised = Record<string, string[]>

/** Fields and words that a version has now. */
function present(): Promised {
  const patch = schemas.TaskPatchSchema
  return {
    task_started: fields(schemas.TaskStartedFrameSchema),
    workflow_phase: fields(schemas.PhaseRowSchema),
    workflow_agent: fields(schemas.AgentRowSchema),
    workflow_log: fields(schemas.LogRowSchema),
    'task_updated.patch': fields(patch),
    'task_updated.patch.status': words((schemas.toJsonSchema(patch)['properties'] as JsonObject)['status']),
    'task_notification.status': words(schemas.toJsonSchema(schemas.NotificationStatusSchema)),
  }
}

function fields(schema: z.ZodType): string[] {
  return Object.keys(schemas.toJsonSchema(schema)['properties'] as JsonObject)
}

function words(schema: unknown): string[] {
  return (schema as { enum: string[] }).enum
}

describe('shapes that equal the baseline by promise', () => {
  it.each(versions)('nothing that version %s had is gone or has another name', version => {
    const promised = JSON.parse(text(`${version}/equal-by-promise.json`)) as Promised
    for (const [shape, names] of Object.entries(promised)) {
      expect(present()[shape], shape).toEqual(expect.arrayContaining(names))
    }
  })

  it('the newest version lists every field and word', () => {
    const newest = JSON.parse(text(`${versions.at(-1)!}/equal-by-promise.json`)) as Promised
    const sorted = (shapes: Promised): Promised =>
      Object.fromEntries(Object.entries(shapes).map(([shape, names]) => [shape, [...names].sort()]))
    expect(sorted(present())).toEqual(sorted(newest))
  })
})
