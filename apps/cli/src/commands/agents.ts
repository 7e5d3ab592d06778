import { openAgentTypes } from '@tutti/storage'
import type { JsonFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { tableLines } from '../render/table.ts'
import { safeLine } from '../render/text-width.ts'
import { openProject } from '../setup/project.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

/** Lists the agent types that scripts can name, and the files that cannot be used. */
export async function agentsCommand(
  flags: JsonFlags,
  { io }: { io: Io; terminal: Terminal },
): Promise<number> {
  const { cwd, root } = await openProject(io, {
    onWarning: message => io.stderr.write(`warning ${message}\n`),
  })
  const types = openAgentTypes({ cwd, root })
  const [found, problems] = await Promise.all([types.list(), types.problems()])
  if (flags.json === true) {
    const agents = found.map(({ name, description, tools, model, backend, source }) => ({
      name,
      description,
      tools,
      model,
      backend,
      source,
    }))
    await writeOut(io.stdout, `${JSON.stringify({ agents, problems })}\n`)
    return EXIT.completed
  }
  const rows = found.map(({ name, description, tools, model, source }) =>
    [name, model ?? '', tools?.join(', ') ?? 'all', source, description ?? ''].map(safeLine),
  )
  const columns = ['NAME', 'MODEL', 'TOOLS', 'SOURCE', 'DESCRIPTION'].map(title => ({ title }))
  const width = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : 200
  await writeOut(io.stdout, `${tableLines(columns, rows, width).join('\n')}\n`)
  for (const { path, error } of problems) io.stderr.write(`warning ${safeLine(path)}: ${safeLine(error)}\n`)
  return EXIT.completed
}
