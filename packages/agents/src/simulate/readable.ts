import type { Seeded } from './seed.ts'
import type { Subject } from './subject.ts'

/** Where a value stands in an object: the nearest property name, and its place in a list. */
export interface ValuePlace {
  /** JSON pointer. */
  path: string
  property: string
  item: number
}

type Writer = (place: ValuePlace, material: Material) => string

export interface Material {
  subject: Subject
  seeded: Seeded
}

const DIRECTORIES = ['src', 'lib', 'test', 'app']
const EXTENSIONS = ['ts', 'js', 'py', 'go']

const WRITERS: [RegExp, Writer][] = [
  [
    /file|path|module|location/,
    (place, { seeded, subject }) =>
      `${seeded.pick(`${place.path}/d`, DIRECTORIES)}/${word(place, { seeded, subject })}.${seeded.pick('ext', EXTENSIONS)}`,
  ],
  [/director|folder/, (place, { seeded }) => seeded.pick(place.path, DIRECTORIES)],
  [/title|headline|subject/, (place, material) => `Possible problem with ${word(place, material)}`],
  [
    /severity|priority|impact|risk/,
    (place, { seeded }) => seeded.pick(place.path, ['low', 'medium', 'high']),
  ],
  [
    /verdict|decision|outcome/,
    (place, { seeded }) => seeded.pick(place.path, ['confirmed', 'plausible', 'refuted']),
  ],
  [/status|state/, (place, { seeded }) => seeded.pick(place.path, ['open', 'done', 'unclear'])],
  [
    /fix|suggest|recommend|action|remed/,
    (place, material) => `Check ${word(place, material)} before it is used (simulated).`,
  ],
  [
    /reason|evidence|rationale|explanation|why|argument/,
    (place, material) => `Simulated reasoning: ${word(place, material)} is used without a check.`,
  ],
  [
    /summary|description|detail|message|text|comment|report|answer|content|note|body/,
    (place, material) => `Simulated: ${material.subject.topic || 'no topic'}; see ${word(place, material)}.`,
  ],
  [/question/, (place, material) => `What happens to ${word(place, material)}?`],
  [
    /version/,
    (place, { seeded }) =>
      `${seeded.integer(`${place.path}/a`, 0, 4)}.${seeded.integer(`${place.path}/b`, 0, 9)}.0`,
  ],
  [/language/, (place, { seeded }) => seeded.pick(place.path, ['TypeScript', 'Python', 'Go', 'Rust'])],
  [
    /(^|_)(id|key)$|Id$/,
    (place, material) => `${word(place, material)}-${material.seeded.integer(place.path, 1, 99)}`,
  ],
]

/** A string that suits the name of its property. */
export function readableString(place: ValuePlace, material: Material): string {
  const writer = WRITERS.find(
    ([name]) => name.test(place.property) || name.test(place.property.toLowerCase()),
  )
  return writer ? writer[1](place, material) : word(place, material)
}

/** An integer that suits the name of its property. */
export function readableInteger({ path, property }: ValuePlace, { seeded }: Material): number {
  if (/line|row/i.test(property)) return seeded.integer(path, 1, 400)
  if (/score|rating|confidence/i.test(property)) return seeded.integer(path, 1, 10)
  return seeded.integer(path, 1, 20)
}

/** Two decimals, below 1: most free numbers are scores. */
export function readableNumber({ path }: ValuePlace, { seeded }: Material): number {
  return seeded.integer(path, 0, 100) / 100
}

/** Neighbours in a list get different words as long as there are enough. */
function word({ path, item }: ValuePlace, { seeded, subject: { words } }: Material): string {
  const list = path.replace(/\/\d+(?=\/[^/]*$|$)/, '')
  const offset = seeded.integer(list, 0, words.length - 1)
  return words[(offset + item) % words.length] as string
}
