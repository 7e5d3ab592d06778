import type { RE2JS } from 're2js'

/** A compiled `pattern`: matches in linear time, whatever the pattern and the text. */
export interface Pattern {
  test(text: string): boolean
}

/** Compiles a pattern; throws an Error with the reason when it cannot be matched in linear time. */
export type CreatePattern = (source: string) => Pattern

/** Patterns through RE2: no back references and no look-around, and no way to hang the process. */
export async function loadPatterns(): Promise<CreatePattern> {
  const { RE2JS: Engine } = await import('re2js')
  return source => {
    const compiled: RE2JS = Engine.compile(Engine.translateRegExp(source))
    // The validator tells patterns apart by their text.
    return { test: text => compiled.test(text), toString: () => source }
  }
}
