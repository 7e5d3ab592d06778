import type { JsonValue, WorkflowMeta } from '@tutti/protocol'
import { WorkflowInputError } from '../errors/errors.ts'
import type { SchemaIssue } from '../ports/agent-executor.ts'
import { createSchemaCompiler, type SchemaCompiler } from '../schema/compile-schema.ts'

const HINT =
  'Give them as key=value words behind the name, or as JSON; meta.args of the script says what it takes.'

/**
 * The args of a run: a string that is itself a JSON object or array is parsed once, and `meta.args` is
 * applied. Throws WorkflowInputError: `args-invalid` with the paths, `script-invalid` for a bad schema.
 */
export async function prepareArgs(
  args: JsonValue | undefined,
  meta: WorkflowMeta,
  schemas: SchemaCompiler = createSchemaCompiler(),
): Promise<JsonValue | undefined> {
  const value = typeof args === 'string' ? parseOnce(args) : args
  const tooLarge = value === undefined ? undefined : pathOfNonFinite(value)
  if (tooLarge !== undefined) {
    throw new WorkflowInputError(
      'args-invalid',
      `args${tooLarge} is a number that JSON cannot hold; give it as a string`,
    )
  }
  if (meta.args === undefined) return value
  const options = { name: 'meta.args', root: 'any', code: 'script-invalid' } as const
  const validator = await schemas.compile(meta.args, options)
  // Absent args are fine where nothing is required of them.
  const issues = validator.validate(value === undefined ? {} : value)
  if (issues.length > 0)
    throw new WorkflowInputError('args-invalid', refusal(issues, value, meta), { hint: HINT })
  return value
}

function parseOnce(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}

/** JSON pointer of a number that is not finite: it would silently become null. */
function pathOfNonFinite(value: JsonValue, path = ''): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, entry] of Object.entries(value)) {
    const found = pathOfNonFinite(entry, `${path}/${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

function refusal(issues: readonly SchemaIssue[], value: JsonValue | undefined, meta: WorkflowMeta): string {
  const given = value === undefined ? 'are missing' : 'do not fit'
  const list = issues.map(({ path, message }) => `args${path} ${message}`).join('; ')
  return `the args of ${meta.name} ${given}: ${list}`
}
