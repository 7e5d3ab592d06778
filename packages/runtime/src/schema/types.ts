import type { JsonObject, JsonValue } from '@tutti/protocol'
import type { InputErrorCode } from '../errors/errors.ts'
import type { SchemaIssue } from '../ports/agent-executor.ts'

/** A compiled JSON Schema. */
export interface SchemaValidator {
  /** At most 20 issues; empty when the value is valid. Never throws. */
  validate(value: JsonValue): SchemaIssue[]
}

export interface CompileOptions {
  /** How messages call the schema; `schema` if absent. */
  name?: string
  /** `object` (default): the root must say `type: 'object'`. */
  root?: 'object' | 'any'
  /** Code of the error for a bad schema; `option-invalid` if absent. */
  code?: InputErrorCode
}

/** Compiles schemas and remembers the ones used last. */
export interface SchemaCompiler {
  /** Throws WorkflowInputError that names the place for a schema that cannot be used. */
  compile(schema: JsonObject, options?: CompileOptions): Promise<SchemaValidator>
}
