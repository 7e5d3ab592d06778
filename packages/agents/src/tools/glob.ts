import { stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { z } from 'zod'
import { ripgrep } from './ripgrep.ts'
import { defineTool, ToolProblem, type Tool } from './tool.ts'
import { isWithin, readablePath, shownPath, type Workplace } from './workplace.ts'

const MOST = 100

/** Lists files by pattern. */
export const globTool: Tool = defineTool({
  name: 'Glob',
  description: `Lists files whose path matches a pattern such as "**/*.ts" or "src/**/test-*.js", the most recently changed first, at most ${MOST}. Ignored files are left out.`,
  input: z.object({
    pattern: z.string().min(1),
    path: z.string().optional().describe('Directory to look in; default: the working directory'),
  }),
  readOnly: true,
  async prepare({ pattern, path = '.' }, workplace) {
    const directory = await readablePath(workplace, path)
    const within = patternWithin(pattern, directory)
    return {
      wish: { kind: 'read', path: directory },
      summary: pattern,
      async run() {
        if (!(await stat(directory).catch(() => undefined))?.isDirectory())
          throw new ToolProblem(`${path} is not a directory.`)
        const output = await ripgrep(
          workplace,
          ['--files', '--null', '--sortr=modified', `--glob=${within}`],
          directory,
        )
        return { text: listed(output.split('\0').filter(Boolean), directory, workplace) }
      },
    }
  },
})

/** A pattern that names a place from the root of the file system must stay in the directory. */
function patternWithin(pattern: string, directory: string): string {
  if (pattern.startsWith('!')) throw new ToolProblem('A pattern cannot begin with "!".')
  if (!isAbsolute(pattern)) return pattern.replace(/^\.\//, '')
  if (!isWithin(directory, pattern))
    throw new ToolProblem(`The pattern leads out of ${directory}; give path as well.`)
  return `/${relative(directory, pattern)}`
}

function listed(names: string[], directory: string, workplace: Workplace): string {
  const paths = names.map(name => join(directory, name)).filter(path => !workplace.isHidden(path))
  if (paths.length === 0) return 'No file matches.'
  const shown = paths.slice(0, MOST).map(path => shownPath(workplace, path))
  if (paths.length > MOST) shown.push(`[${paths.length - MOST} more files; use a narrower pattern]`)
  return shown.join('\n')
}
