/** The name that was probably meant; undefined when none is near enough to be a slip of the fingers. */
export function nearName(given: string, names: readonly string[]): string | undefined {
  const lower = given.toLowerCase()
  const most = lower.length > 5 ? 2 : 1
  const ranked = names
    .map(name => ({ name, distance: name.startsWith(lower) ? 0 : distance(lower, name) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best !== undefined && best.distance <= most ? best.name : undefined
}

/** Least number of characters put in, left out, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          at(i - 1, j - 1) + (same ? 0 : 1),
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(a.length, b.length)
}
