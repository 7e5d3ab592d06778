import type { Effects } from '@tutti/protocol'

/** Tools of the known products that change nothing. */
const READING = new Set(
  (
    'read read_file read_many_files ls list list_directory glob grep search_file_content grep_search toolsearch ' +
    'websearch web_search google_web_search webfetch web_fetch todowrite todo_write todoread save_plan structuredoutput'
  ).split(' '),
)

/** What an agent may have changed, by the names of the tools it used. */
export function effectsOf(tools: Iterable<string>): Effects {
  const changing = [...tools].some(tool => {
    const name = tool.toLowerCase()
    return !READING.has(name) && !name.endsWith('structuredoutput')
  })
  return changing ? 'yes' : 'none'
}
