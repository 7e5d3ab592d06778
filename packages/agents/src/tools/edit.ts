import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { knownFile, storeText } from './file-change.ts'
import { defineTool, ToolProblem, type Tool } from './tool.ts'
import { shownPath, writablePath, type Workplace } from './workplace.ts'

/** Replaces a text within a file that was read. */
export const editTool: Tool = defineTool({
  name: 'Edit',
  description:
    'Replaces a text in a file that was read before. old_string must stand in the file exactly once, without the line numbers that Read shows; with replace_all every occurrence is replaced.',
  input: z.object({
    file_path: z.string().min(1).describe('Absolute, or relative to the working directory'),
    old_string: z.string().describe('The text to replace; empty to create a file'),
    new_string: z.string().describe('What to put in its place'),
    replace_all: z.boolean().optional().describe('Replace every occurrence'),
  }),
  readOnly: false,
  async prepare(input, workplace) {
    if (input.old_string === input.new_string)
      throw new ToolProblem('old_string and new_string are the same; nothing would change.')
    const path = await writablePath(workplace, input.file_path)
    const shown = shownPath(workplace, path)
    return {
      wish: { kind: 'edit', path },
      summary: shown,
      async run() {
        const count = await replace(workplace, path, input)
        return { text: count === 0 ? `Created ${shown}.` : `Replaced ${count} in ${shown}.` }
      },
    }
  },
})

interface Replacement {
  file_path: string
  old_string: string
  new_string: string
  replace_all?: boolean | undefined
}

/** How many were replaced; 0: the file is new. */
async function replace(workplace: Workplace, path: string, wanted: Replacement): Promise<number> {
  const { file_path: given, old_string: from, new_string: to, replace_all: all = false } = wanted
  const before = await knownFile(workplace, path, given)
  if (!before) {
    if (from !== '') throw new ToolProblem(`${given} does not exist.`)
    await storeText(workplace, path, to)
    return 0
  }
  if (from === '') throw new ToolProblem(`${given} exists; old_string must be the text to replace.`)
  const text = await readFile(path, 'utf8')
  const windows = !text.includes(from) && text.includes('\r\n')
  const [wantedText, newText] = windows ? [withReturns(from), withReturns(to)] : [from, to]
  const pieces = text.split(wantedText)
  const count = pieces.length - 1
  if (count === 0) throw new ToolProblem(`old_string does not stand in ${given}; read the file again.`)
  if (count > 1 && !all)
    throw new ToolProblem(
      `old_string stands ${count} times in ${given}; give more of the text, or replace_all.`,
    )
  await storeText(workplace, path, pieces.join(newText))
  return count
}

function withReturns(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n')
}
