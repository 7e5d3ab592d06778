import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { ripgrep } from './ripgrep.ts'
import { capped } from './spill.ts'
import { defineTool, ToolProblem, type Tool } from './tool.ts'
import { readablePath, shownPath, type Workplace } from './workplace.ts'

const COLUMNS = 500
const MOST_LINES = 250

const GrepInput = z.object({
  pattern: z.string().min(1).describe('Regular expression in the syntax of ripgrep'),
  path: z.string().optional().describe('File or directory; default: the working directory'),
  glob: z.string().optional().describe('Only files that match, such as "*.js" or "*.{ts,tsx}"'),
  type: z
    .string()
    .regex(/^[a-z0-9]+$/i)
    .optional()
    .describe('Only files of this type, such as js, py, rust'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe('Default files_with_matches'),
  '-A': z.int().min(0).optional().describe('Lines after each match; content only'),
  '-B': z.int().min(0).optional().describe('Lines before each match; content only'),
  '-C': z.int().min(0).optional().describe('Lines around each match; content only'),
  '-n': z.boolean().optional().describe('Numbers of lines; content only, default true'),
  '-i': z.boolean().optional().describe('Ignore case'),
  multiline: z.boolean().optional().describe('A match may span lines'),
  head_limit: z.int().min(0).optional().describe(`At most so many lines; default ${MOST_LINES}, 0 = all`),
  offset: z.int().min(0).optional().describe('Leave out so many lines first'),
})
type GrepInput = z.infer<typeof GrepInput>

/** Searches files for a regular expression. */
export const grepTool: Tool = defineTool<GrepInput>({
  name: 'Grep',
  description:
    'Searches the files of the project for a regular expression. output_mode: content (matching lines), files_with_matches (paths), count (matches per file). Ignored files are left out.',
  input: GrepInput,
  readOnly: true,
  async prepare(input, workplace) {
    const place = await readablePath(workplace, input.path ?? '.')
    return {
      wish: { kind: 'read', path: place },
      summary: input.pattern,
      async run() {
        const found = await stat(place).catch(() => undefined)
        if (!found) throw new ToolProblem(`${input.path} does not exist.`)
        const output = await ripgrep(workplace, [...argumentsOf(input), '--', place], workplace.cwd)
        return { text: await capped(shown(output, input, workplace), workplace.spill) }
      },
    }
  },
})

function argumentsOf(input: GrepInput): string[] {
  const { output_mode: mode = 'files_with_matches' } = input
  const args = [
    `--regexp=${input.pattern}`,
    '--null',
    '--with-filename',
    `--max-columns=${COLUMNS}`,
    '--sort=path',
  ]
  if (mode === 'files_with_matches') args.push('--files-with-matches')
  if (mode === 'count') args.push('--count')
  if (mode === 'content') {
    args.push('--no-heading', input['-n'] === false ? '--no-line-number' : '--line-number')
    for (const flag of ['-A', '-B', '-C'] as const)
      if (input[flag] !== undefined) args.push(`${flag}${input[flag]}`)
  }
  if (input['-i']) args.push('--ignore-case')
  if (input.multiline) args.push('--multiline', '--multiline-dotall')
  if (input.type) args.push(`--type=${input.type}`)
  for (const glob of input.glob?.split(/\s+/).filter(Boolean) ?? []) args.push(`--glob=${glob}`)
  return args
}

function shown(
  output: string,
  { output_mode: mode, head_limit, offset = 0 }: GrepInput,
  workplace: Workplace,
): string {
  const found = mode === 'content' || mode === 'count' ? linesIn(output) : output.split('\0').map(pathAlone)
  const visible = found.flatMap(line => visibleLine(line, workplace))
  const limit = head_limit === 0 ? visible.length : (head_limit ?? MOST_LINES)
  const kept = visible.slice(offset, offset + limit)
  if (kept.length === 0) return 'Nothing was found.'
  const left = visible.length - offset - kept.length
  if (left > 0) kept.push(`[${left} more; go on with offset ${offset + kept.length}]`)
  return kept.join('\n')
}

interface FoundLine {
  /** Absent for a line between groups. */
  path?: string
  text?: string
}

const pathAlone = (path: string): FoundLine => ({ path })

/**
 * A path ends with a null character, so that a hidden one can be told from text that looks like a path. It may have
 * line ends of its own, but what follows it is one line.
 */
function linesIn(output: string): FoundLine[] {
  const found: FoundLine[] = []
  const [first = '', ...pieces] = output.split('\0')
  let path = pathAfter(first, found)
  for (const piece of pieces) {
    const end = piece.indexOf('\n')
    found.push({ path, text: end < 0 ? piece : piece.slice(0, end) })
    path = pathAfter(end < 0 ? '' : piece.slice(end + 1), found)
  }
  return found
}

const BINARY = /^(\/.*): (binary file matches \(.*\))\n/
const BETWEEN = /^--\n/

/** What stands before a path: marks between groups, and notes about binary files. */
function pathAfter(text: string, found: FoundLine[]): string {
  let rest = text
  for (;;) {
    const note = BINARY.exec(rest)
    const mark = note ?? BETWEEN.exec(rest)
    if (!mark) return rest
    found.push(note ? { path: note[1] ?? '', text: note[2] ?? '' } : {})
    rest = rest.slice(mark[0].length)
  }
}

function visibleLine({ path, text }: FoundLine, workplace: Workplace): string[] {
  if (path === undefined) return ['--']
  if (path === '' || workplace.isHidden(resolve(workplace.cwd, path))) return []
  const file = shownPath(workplace, resolve(workplace.cwd, path))
  return [text === undefined ? file : `${file}:${text}`]
}
