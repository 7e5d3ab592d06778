/** Keywords whose value is a schema. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** Keywords whose value is a list of schemas. */
export const SCHEMA_LIST_KEYWORDS: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'items',
  'oneOf',
  'prefixItems',
])

/** Keywords whose value maps names to schemas. */
export const SCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

const OTHER_KEYWORDS = [
  '$anchor', '$comment', '$dynamicAnchor', '$dynamicRef', '$id', '$ref', '$schema',
  'const', 'default', 'dependentRequired', 'deprecated', 'description', 'enum', 'examples', 'exclusiveMaximum',
  'exclusiveMinimum', 'format', 'maxContains', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minContains',
  'minItems', 'minLength', 'minProperties', 'minimum', 'multipleOf', 'nullable', 'pattern', 'readOnly', 'required',
  'title', 'type', 'uniqueItems', 'writeOnly',
] // prettier-ignore

/** Every keyword that says something. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...SCHEMA_KEYWORDS,
  ...SCHEMA_LIST_KEYWORDS,
  ...SCHEMA_MAP_KEYWORDS,
  ...OTHER_KEYWORDS,
])
