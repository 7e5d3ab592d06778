import { existsSync } from 'node:fs'
import { z } from 'zod'
import { runCommand } from '../shell/process-group.ts'
import { collectOutput } from './output-collector.ts'
import { defineTool, type Tool, type ToolResult } from './tool.ts'
import type { Workplace } from './workplace.ts'

const TIMEOUT_MS = 120_000
const LONGEST_MS = 600_000

/** Runs a command in a process group of its own. */
export const bashTool: Tool = defineTool({
  name: 'Bash',
  description: `Runs a shell command in the working directory, without input. Each command starts there anew: cd and variables do not carry over. Both output streams are returned. A command is ended, with everything it started, after ${TIMEOUT_MS / 1000} s unless timeout says otherwise. Use Read, Edit, Glob and Grep for files.`,
  input: z.object({
    command: z.string().min(1),
    timeout: z.number().positive().max(LONGEST_MS).optional().describe('Milliseconds'),
    description: z.string().optional().describe('What it does, in a few words'),
  }),
  readOnly: false,
  prepare: ({ command, timeout, description }, workplace) => ({
    wish: { kind: 'command', command },
    summary: description ?? command.split('\n', 1)[0] ?? '',
    run: () => runBash(command, timeout ?? TIMEOUT_MS, workplace),
  }),
})

async function runBash(command: string, timeoutMs: number, workplace: Workplace): Promise<ToolResult> {
  const output = collectOutput(workplace.spill)
  const { root, additional, cwd, env, signal, clock, groups, sandbox } = workplace
  const end = await runCommand({
    command,
    cwd,
    env,
    timeoutMs,
    signal,
    clock,
    shell: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
    ...(groups && { groups }),
    ...(sandbox && { wrap: argv => sandbox.wrap(argv, { root, cwd, ...(additional && { additional }) }) }),
    onOutput(chunk) {
      output.add(chunk)
      workplace.alive()
    },
  })
  const text = (await output.text()).replace(/\n+$/, '')
  if (end.by === 'abort') return { text: `${text}\n[stopped]`.trim(), failed: true }
  if (end.by === 'timeout') return { text: `${text}\n[ended after ${timeoutMs} ms]`.trim(), failed: true }
  if (end.code === 0) return { text: text || '[no output]' }
  const how = end.code === null ? `ended by ${end.signal}` : `exit code ${end.code}`
  return { text: `${text}\n[${how}]`.trim(), failed: true }
}
