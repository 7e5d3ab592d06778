import { z } from 'zod'
import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject, isJsonValue } from '../json.ts'

/** Passes the value through uncopied. */
export const JsonValueSchema: z.ZodType<JsonValue> = z.custom<JsonValue>(isJsonValue, 'not a JSON value')

export const JsonObjectSchema: z.ZodType<JsonObject> = z
  .custom<JsonObject>(isJsonObject, 'not a JSON object')
  .meta({ type: 'object' })
