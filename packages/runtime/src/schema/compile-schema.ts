import type { JsonObject } from '@tutti/protocol'
import { WorkflowInputError } from '../errors/errors.ts'
import { canonicalJson } from './canonical-json.ts'
import { sha256 } from './hash.ts'
import { KEYWORDS } from './keywords.ts'
import { isObject, type Refuse } from './prepare-schema.ts'
import { RecentlyUsed } from './recently-used.ts'
import type { SchemaEngine } from './schema-engine.ts'
import type { CompileOptions, SchemaCompiler, SchemaValidator } from './types.ts'

export type { CompileOptions, SchemaCompiler } from './types.ts'

const MAX_REMEMBERED = 256
/** An engine never forgets what it compiled, so it is replaced before it grows large. */
const MAX_PER_ENGINE = 512
/** Most characters of a schema as canonical JSON. */
const MAX_LENGTH = 262_144

/** A compiler with a cache of its own. The engine is loaded at the first schema. */
export function createSchemaCompiler(): SchemaCompiler {
  const remembered = new RecentlyUsed<SchemaValidator>(MAX_REMEMBERED)
  let engine: Promise<SchemaEngine> | undefined
  let compiled = 0
  const nextEngine = (): Promise<SchemaEngine> => {
    if (engine === undefined || compiled >= MAX_PER_ENGINE) [engine, compiled] = [loadEngine(), 0]
    compiled++
    return engine
  }
  return {
    async compile(schema, options = {}) {
      const refuse = refusal(options)
      if (!isObject(schema)) return refuse('', 'must be a JSON Schema, an object')
      checkRoot(schema, options, refuse)
      const key = sha256(textOf(schema, refuse))
      const known = remembered.get(key)
      if (known !== undefined) return known
      const validator = (await nextEngine()).compile(schema, refuse)
      remembered.set(key, validator)
      return validator
    },
  }
}

/** Compiles one schema for one use. */
export async function compileSchema(schema: JsonObject, options?: CompileOptions): Promise<SchemaValidator> {
  return await createSchemaCompiler().compile(schema, options)
}

async function loadEngine(): Promise<SchemaEngine> {
  const { createSchemaEngine } = await import('./schema-engine.ts')
  return await createSchemaEngine()
}

function refusal({ name = 'schema', code = 'option-invalid' }: CompileOptions): Refuse {
  return (path, message) => {
    const where = path === '' ? name : `${name} at ${path}`
    throw new WorkflowInputError(code, `${where}: ${message}`)
  }
}

/** A shape such as `{ title: 'string' }` would be a schema that accepts anything. */
function checkRoot(schema: JsonObject, { root = 'object' }: CompileOptions, refuse: Refuse): void {
  const keys = Object.keys(schema)
  if (keys.length > 0 && !keys.some(key => KEYWORDS.has(key))) {
    const example = `{ type: 'object', properties: { ${keys[0]}: { … } } }`
    refuse(
      '',
      `none of its keys is a keyword of JSON Schema; for an object with these properties write ${example}`,
    )
  }
  const { type } = schema
  if (root !== 'object' || type === 'object') return
  if (type === undefined) refuse('', "the root must say type: 'object'")
  refuse(
    '/type',
    `the root must be type: 'object', not ${JSON.stringify(type)}; put other values in a property of it`,
  )
}

function textOf(schema: JsonObject, refuse: Refuse): string {
  const text = canonicalText(schema, refuse)
  if (text.length > MAX_LENGTH) refuse('', `has ${text.length} characters; at most ${MAX_LENGTH} are allowed`)
  return text
}

function canonicalText(schema: JsonObject, refuse: Refuse): string {
  try {
    return canonicalJson(schema)
  } catch (error) {
    if (error instanceof RangeError) return refuse('', 'is nested too deeply')
    return refuse('', error instanceof Error ? error.message : String(error))
  }
}
