import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { defineTool, ToolProblem, type Tool, type ToolResult } from './tool.ts'
import { readablePath, shownPath, type Workplace } from './workplace.ts'

const LINES = 2000
const LINE_LENGTH = 2000
const LONGEST = 256 * 1024
const LARGEST = 10 * 1024 * 1024

/** Shows a text file with numbers of lines. */
export const readTool: Tool = defineTool({
  name: 'Read',
  description: `Reads a text file of the project. Lines are numbered from 1. At most ${LINES} lines at once; use offset and limit for others. A file must be read before it can be changed.`,
  input: z.object({
    file_path: z.string().min(1).describe('Absolute, or relative to the working directory'),
    offset: z.int().min(0).optional().describe('First line, from 1'),
    limit: z.int().min(1).optional().describe('Number of lines'),
  }),
  readOnly: true,
  async prepare({ file_path, offset = 1, limit = LINES }, workplace) {
    const path = await readablePath(workplace, file_path)
    return {
      wish: { kind: 'read', path },
      summary: shownPath(workplace, path),
      run: () => show(workplace, { path, given: file_path, first: Math.max(1, offset), limit }),
    }
  },
})

interface Section {
  path: string
  given: string
  first: number
  limit: number
}

async function show(workplace: Workplace, { path, given, first, limit }: Section): Promise<ToolResult> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new ToolProblem(`${given} does not exist.`)
  if (found.isDirectory()) throw new ToolProblem(`${given} is a directory; list it with Glob.`)
  if (!found.isFile()) throw new ToolProblem(`${given} is not a regular file.`)
  if (found.size > LARGEST) throw new ToolProblem(`${given} has ${found.size} bytes, too many; use Grep.`)
  const bytes = await readFile(path)
  if (bytes.subarray(0, 8192).includes(0)) throw new ToolProblem(`${given} is not a text file.`)
  workplace.seen.set(path, { mtimeMs: found.mtimeMs, size: found.size })
  if (bytes.length === 0) return { text: `${given} is empty.` }
  const lines = bytes.toString('utf8').split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (first > lines.length) throw new ToolProblem(`${given} has only ${lines.length} lines.`)
  return { text: numbered(lines, first, limit) }
}

function numbered(lines: string[], first: number, limit: number): string {
  const shown: string[] = []
  let length = 0
  for (const [i, line] of lines.slice(first - 1, first - 1 + limit).entries()) {
    const text = line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}… [line cut]` : line
    length += text.length + 8
    if (length > LONGEST) break
    shown.push(`${String(first + i).padStart(6)}→${text}`)
  }
  const next = first + shown.length
  if (next <= lines.length) shown.push(`[${lines.length - next + 1} more lines; read on with offset ${next}]`)
  return shown.join('\n')
}
