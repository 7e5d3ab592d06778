/** What a prompt seems to be about. */
export interface Subject {
  /** Its first line or sentence, shortened. */
  topic: string
  /** Its telling words, lower case, no repetitions; never empty. */
  words: string[]
}

const TOPIC_LENGTH = 72
const WORDS = 24
const FILLERS = new Set(
  'about after against all and answer any are based before below between both but can does each every find from give given have here into its just like list look make more most must name none not nothing one only other please return review should some such than that the their them then there these they this those through under until using what when where which while will with without your'.split(
    ' ',
  ),
)
const FALLBACK = ['input', 'result', 'check', 'case']

/** Reads at most the first 2,000 characters. */
export function subjectOf(prompt: string): Subject {
  const text = prompt.slice(0, 2000)
  return { topic: topicOf(text), words: wordsOf(text) }
}

function topicOf(text: string): string {
  const line = text.split('\n').find(candidate => candidate.trim() !== '') ?? ''
  const sentence = line.trim().split(/(?<=[.!?])\s/)[0] ?? ''
  const characters = Array.from(sentence.replaceAll(/\s+/g, ' ').replace(/[.!?:;,]+$/, ''))
  return characters.length > TOPIC_LENGTH
    ? `${characters.slice(0, TOPIC_LENGTH - 1).join('')}…`
    : characters.join('')
}

function wordsOf(text: string): string[] {
  const found = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[a-z][a-z-]{2,23}/g)) {
    if (!FILLERS.has(word) && !word.endsWith('-')) found.add(word)
    if (found.size === WORDS) break
  }
  return found.size >= FALLBACK.length ? [...found] : [...found, ...FALLBACK]
}
