import { z } from 'zod'

/** Message of the issue of a value that is of another kind than a variant speaks of. */
export const OTHER_KIND = 'known, but with wrong fields'

export interface OpenUnion<T> {
  /** The field that tells the variants apart. */
  tag: string
  /** Its values in the variants. */
  known: readonly string[]
  variants: readonly z.ZodType<T>[]
  /** Fields that unknown kinds must have, too. */
  common?: z.ZodRawShape
}

/**
 * A union told apart by one field that lets objects with an unknown tag pass, so that readers survive what
 * later versions add. The interface lists only what this version knows: keep a `default` when switching.
 * A known tag with wrong fields is refused.
 */
export function openUnion<T>({ tag, known, variants, common }: OpenUnion<T>): z.ZodType<T> {
  return orUnknown(closedUnion(tag, variants), unknownKind(tag, known, common))
}

/** A union told apart by one field; a value with an unknown tag is refused. */
export function closedUnion<T>(tag: string, variants: readonly z.ZodType<T>[]): z.ZodType<T> {
  return z.discriminatedUnion(tag, variants as unknown as [z.ZodObject]) as unknown as z.ZodType<T>
}

/** Lets values of unknown kinds pass as if they were known ones. */
export function orUnknown<T>(known: z.ZodType<T>, ...unknown: z.ZodObject[]): z.ZodType<T> {
  return z.union([known, ...unknown]) as z.ZodType<T>
}

/** An object whose tag is none of the known ones, which are plain words. */
export function unknownKind(
  tag: string,
  known: readonly string[],
  common: z.ZodRawShape = {},
): z.ZodObject<z.ZodRawShape> {
  const noneOfThem = new RegExp(`^(?!(?:${known.join('|')})$)`)
  const unknownTag = z.string().regex(noneOfThem, { error: OTHER_KIND, abort: true })
  return z.looseObject({ ...common, [tag]: unknownTag })
}
