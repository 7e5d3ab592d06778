import { describe, expect, it } from 'vitest'
import { checkValue, jsonSchemas } from '../../src/schemas/index.ts'
import { accepted, documents, refused, versions } from '../fixtures.ts'

describe.each(versions)('documents of version %s', version => {
  const fixtures = accepted(version)

  it.each(fixtures)('reads $file and keeps every field', ({ document, values }) => {
    for (const value of values) {
      expect(checkValue(documents[document]!, value)).toEqual({ ok: true, value })
    }
  })

  it.each(refused(version))('refuses a $document: $about', ({ document, path, value }) => {
    const checked = checkValue(documents[document]!, value)
    expect(checked.ok).toBe(false)
    expect(checked.ok ? [] : checked.issues.map(issue => issue.path)).toContainEqual(path)
  })

  it('has values for every document', () => {
    expect(new Set(fixtures.map(({ document }) => document))).toEqual(new Set(Object.keys(jsonSchemas())))
  })
})
