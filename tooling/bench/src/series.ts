export const REPEATS = 5

/** A figure taken several times. */
export interface Series {
  median: number
  min: number
  max: number
}

export function seriesOf(values: number[]): Series {
  const ordered = [...values].sort((a, b) => a - b)
  const [min, max] = [ordered[0] ?? Number.NaN, ordered.at(-1) ?? Number.NaN]
  const middle = Math.floor((ordered.length - 1) / 2)
  const median = ((ordered[middle] ?? Number.NaN) + (ordered[ordered.length - 1 - middle] ?? Number.NaN)) / 2
  return { median, min, max }
}

/** The values of `count` turns, one after the other. */
export async function repeat<T>(turn: () => Promise<T>, count: number = REPEATS): Promise<T[]> {
  const values: T[] = []
  for (let i = 0; i < count; i++) values.push(await turn())
  return values
}
