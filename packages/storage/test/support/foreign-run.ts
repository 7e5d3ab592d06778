import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A run of another product, written file by file. */
export interface ForeignFiles {
  readonly session: string
  readonly folder: string
  readonly recordPath: string
  record(fields: object): Promise<void>
  script(name: string, text: string): Promise<void>
  /** Lines as values, or text as it is. */
  transcript(id: string, lines: (object | string)[], meta?: object): Promise<void>
  file(name: string, text: string): Promise<void>
}

export function foreignFiles(session: string, runId: string): ForeignFiles {
  const folder = join(session, 'subagents', 'workflows', runId)
  const recordPath = join(session, 'workflows', `${runId}.json`)
  return {
    session,
    folder,
    recordPath,
    record: fields => write(recordPath, JSON.stringify(fields)),
    script: (name, text) => write(join(session, 'workflows', 'scripts', `${name}-${runId}.js`), text),
    async transcript(id, lines, meta) {
      const text = lines.map(line => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('')
      await write(join(folder, `agent-${id}.jsonl`), text)
      if (meta) await write(join(folder, `agent-${id}.meta.json`), JSON.stringify(meta))
    },
    file: (name, text) => write(join(folder, name), text),
  }
}

export function user(content: unknown): object {
  return { type: 'user', isSidechain: true, message: { role: 'user', content } }
}

export function assistant(content: unknown, fields: object = {}): object {
  const usage = { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 2 }
  return { type: 'assistant', message: { role: 'assistant', model: 'model-1', content, usage, ...fields } }
}

export function text(value: string): object {
  return { type: 'text', text: value }
}

export function submit(id: string, input: unknown): object {
  return { type: 'tool_use', id, name: 'StructuredOutput', input }
}

export function verdict(id: string, isError = false): object {
  return user([{ type: 'tool_result', tool_use_id: id, content: 'seen', ...(isError && { is_error: true }) }])
}

export const END = { stop_reason: 'end_turn' }

export function row(agentId: string, state: string, fields: object = {}): object {
  return { type: 'workflow_agent', index: 1, agentId, label: `label ${agentId}`, state, ...fields }
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
