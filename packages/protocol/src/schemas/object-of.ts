import { z } from 'zod'

/** Keys that an interface names; its index signature left out. */
export type NamedKey<T> = keyof {
  [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K]
}

/** One schema per named key of `T`, whose output is that key's type. */
export type FieldsOf<T> = { [K in NamedKey<T>]-?: z.ZodType<T[K]> }

/** The other direction: no field that `T` lacks, none that refuses values `T` allows. */
export type Exactly<T, F> = {
  [K in keyof F]: K extends keyof T ? (T[K] extends OutputOf<F[K]> ? F[K] : never) : never
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : never

/**
 * Schema of an interface. Does not compile when the two disagree on a name, on optionality or on a type.
 * Unknown fields are kept.
 */
export function objectOf<T>(): <F extends FieldsOf<T> & z.ZodRawShape>(
  fields: F & Exactly<T, F>,
) => z.ZodObject<F, z.core.$loose> {
  return fields => z.looseObject(fields)
}

/** Like `objectOf`, but unknown fields are refused. */
export function closedObjectOf<T>(): <F extends FieldsOf<T> & z.ZodRawShape>(
  fields: F & Exactly<T, F>,
) => z.ZodObject<F, z.core.$strict> {
  return fields => z.strictObject(fields)
}
