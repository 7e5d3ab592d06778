/**
 * Rules of tools from words as they were given: each may hold several, divided by commas or spaces, and what stands
 * in parentheses belongs together: `Read,Bash(git log:*, git diff:*)` are two.
 */
export function toolList(words: readonly string[]): string[] {
  return words.flatMap(splitTools).filter(rule => rule !== '')
}

function splitTools(word: string): string[] {
  const rules: string[] = []
  let depth = 0
  let rule = ''
  for (const character of word) {
    if (character === '(') depth++
    if (character === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && /[,\s]/.test(character)) {
      rules.push(rule)
      rule = ''
    } else {
      rule += character
    }
  }
  return [...rules, rule].map(text => text.trim())
}
