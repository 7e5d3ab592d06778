import type { JsonObject } from '@tutti/protocol'
import { z } from 'zod'
import type { Workplace } from './workplace.ts'

/** What a use of a tool touches; permission rules speak about it. */
export type Wish =
  | { kind: 'free' }
  | { kind: 'read'; path: string }
  | { kind: 'edit'; path: string }
  | { kind: 'command'; command: string }
  | { kind: 'fetch'; host: string }
  | { kind: 'foreign' }

/** What the model is told. */
export interface ToolResult {
  text: string
  failed?: boolean
}

/** A use that was checked and may now be decided about. */
export interface PreparedUse {
  wish: Wish
  /** One line for people. */
  summary?: string
  run(): Promise<ToolResult>
}

/** Something the model can use. */
export interface Tool {
  name: string
  description: string
  inputSchema: JsonObject
  /** Changes nothing, whatever its input. */
  readOnly: boolean
  /** Throws ToolProblem for input that cannot be meant. Touches nothing yet. */
  prepare(input: JsonObject, workplace: Workplace): Promise<PreparedUse>
}

/** Told to the model, which may do better. */
export class ToolProblem extends Error {
  override readonly name = 'ToolProblem'
}

export interface ToolDefinition<Input> {
  name: string
  description: string
  input: z.ZodType<Input>
  readOnly: boolean
  prepare(input: Input, workplace: Workplace): Promise<PreparedUse> | PreparedUse
}

/** A tool whose input is checked before it is used. */
export function defineTool<Input>(definition: ToolDefinition<Input>): Tool {
  const { name, description, readOnly, input: schema } = definition
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' }) as JsonObject
  return {
    name,
    description,
    readOnly,
    inputSchema,
    async prepare(given, workplace) {
      const parsed = schema.safeParse(given)
      if (!parsed.success) {
        const issues = parsed.error.issues.map(
          ({ path, message }) => `${path.join('.') || 'input'}: ${message}`,
        )
        throw new ToolProblem(`The input does not fit ${name}: ${issues.join('; ')}`)
      }
      return definition.prepare(parsed.data, workplace)
    },
  }
}
