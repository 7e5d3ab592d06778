import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js'
import type { JsonObject } from '@tutti/protocol'
import { loadPatterns, type CreatePattern } from './pattern.ts'
import { prepareSchema, type Refuse } from './prepare-schema.ts'
import { schemaIssues } from './schema-issues.ts'
import type { SchemaValidator } from './types.ts'

/** Turns schemas into validators. */
export interface SchemaEngine {
  /** Calls `refuse` for a schema that cannot be used. */
  compile(schema: JsonObject, refuse: Refuse): SchemaValidator
}

/** Loads the engine and makes an instance of it. */
export async function createSchemaEngine(): Promise<SchemaEngine> {
  const [{ Ajv2020 }, formats, createPattern] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    loadPatterns(),
  ])
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    logger: false,
    // `required: ['toString']` must not be met by a prototype.
    ownProperties: true,
    multipleOfPrecision: 8,
    validateSchema: true,
    code: { regExp: patternEngine(createPattern) },
  })
  formats.default.default(ajv)
  return { compile: (schema, refuse) => compile(ajv, prepareSchema(schema, createPattern, refuse), refuse) }
}

function patternEngine(createPattern: CreatePattern): {
  (source: string): { test(text: string): boolean }
  code: string
} {
  // `code` would only be used for modules written to disk.
  return Object.assign((source: string) => createPattern(source), { code: 'new RegExp' })
}

function compile(ajv: Ajv2020, schema: JsonObject, refuse: Refuse): SchemaValidator {
  if (ajv.validateSchema(schema) !== true) {
    const error = mostSpecific(ajv.errors ?? [])
    return refuse(error?.instancePath ?? '', describe(error))
  }
  try {
    const validate = ajv.compile(schema)
    return { validate: value => schemaIssues(validate, value) }
  } catch (error) {
    const { missingRef } = error as { missingRef?: unknown }
    if (typeof missingRef !== 'string')
      return refuse('', error instanceof Error ? error.message : String(error))
    return refuse('', `the reference ${JSON.stringify(missingRef)} leads nowhere: ${NEVER_FETCHED}`)
  }
}

const NEVER_FETCHED = "nothing is fetched; put the schema under $defs and write { $ref: '#/$defs/name' }"

/** The alternatives of `type` and the like are reported by the list of allowed values alone. */
function mostSpecific(errors: readonly ErrorObject[]): ErrorObject | undefined {
  return errors.find(({ keyword }) => keyword === 'enum') ?? errors[0]
}

function describe(error: ErrorObject | undefined): string {
  const allowed: unknown = error?.params['allowedValues']
  if (Array.isArray(allowed)) return `must be one of ${allowed.join(', ')}`
  return error?.message ?? 'is not valid'
}
