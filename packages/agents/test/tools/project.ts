import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { JsonObject } from '@tutti/protocol'
import { systemClock } from '@tutti/runtime'
import { createSpill } from '../../src/tools/spill.ts'
import { ToolProblem, type Tool, type ToolResult, type Wish } from '../../src/tools/tool.ts'
import type { Workplace } from '../../src/tools/workplace.ts'

/** A project in a directory of its own. */
export interface Project extends AsyncDisposable {
  root: string
  path(name: string): string
  workplace: Workplace
  stop: AbortController
  /** Prepares and runs; what the model would be told is a problem is a failed result. */
  use(tool: Tool, input: JsonObject): Promise<ToolResult>
  wish(tool: Tool, input: JsonObject): Promise<Wish>
}

export async function projectWith(files: Record<string, string> = {}): Promise<Project> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tutti-project-')))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  const stop = new AbortController()
  const workplace: Workplace = {
    root,
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: root },
    spill: createSpill(),
    clock: systemClock(),
    signal: stop.signal,
    seen: new Map(),
    todos: [],
    isHidden: () => false,
    alive: () => {},
  }
  return {
    root,
    path: name => join(root, name),
    workplace,
    stop,
    async use(tool, input) {
      try {
        return await (await tool.prepare(input, workplace)).run()
      } catch (error) {
        if (error instanceof ToolProblem) return { text: error.message, failed: true }
        throw error
      }
    },
    wish: async (tool, input) => (await tool.prepare(input, workplace)).wish,
    async [Symbol.asyncDispose]() {
      await workplace.spill.end()
      await rm(root, { recursive: true, force: true })
    },
  }
}
