const MAX_NAMES_TOLD = 20

/** ` Did you mean "audit"? Known: a, b, c.` for a name that does not exist; says so when there are none. */
export function describeKnown(name: string, known: readonly string[]): string {
  if (known.length === 0) return ' There are none.'
  const near = known.filter(candidate => isNear(name.toLowerCase(), candidate.toLowerCase())).slice(0, 3)
  const guess = near.length > 0 ? ` Did you mean ${near.map(text => `"${text}"`).join(' or ')}?` : ''
  const told = known.slice(0, MAX_NAMES_TOLD).join(', ')
  const more = known.length > MAX_NAMES_TOLD ? ` and ${known.length - MAX_NAMES_TOLD} more` : ''
  return `${guess} Known: ${told}${more}.`
}

function isNear(name: string, candidate: string): boolean {
  if (name.length > 0 && (candidate.startsWith(name) || (candidate !== '' && name.startsWith(candidate))))
    return true
  return distance(name.slice(0, 64), candidate.slice(0, 64)) <= Math.max(1, Math.floor(candidate.length / 4))
}

/** Least number of single-character edits. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (previous[j] ?? 0) + (a[i] === b[j] ? 0 : 1)
      row.push(Math.min(replaced, (previous[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
