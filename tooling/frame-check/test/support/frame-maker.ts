import type { AgentRow, Dialect, JsonObject, OutFrame, ProgressRow } from '@tutti/protocol'

export interface TaskPlan {
  id: string
  end: 'completed' | 'failed' | 'killed'
  /** How each agent ends. */
  agents: ('done' | 'error' | 'cached')[]
}

const SESSION = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const USAGE = {
  input_tokens: 1,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

/** Makes the frames of one session, each with a stamp of its own. */
export class FrameMaker {
  readonly dialect: Dialect
  #next = 0

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  init(): OutFrame {
    return {
      ...this.#stamp(),
      type: 'system',
      subtype: 'init',
      cwd: '/project',
      tools: ['Workflow'],
      model: 'mock',
      permissionMode: 'default',
      mcp_servers: [],
      slash_commands: [],
      skills: [],
      agents: [],
      plugins: [],
      output_style: 'default',
      apiKeySource: 'user',
      claude_code_version: '2.1.220',
    }
  }

  toolUse(id: string): OutFrame {
    const content = [{ type: 'tool_use', id: `toolu_${id}`, name: 'Workflow', input: {} }]
    return this.#assistant(content)
  }

  says(text: string): OutFrame {
    return this.#assistant([{ type: 'text', text }])
  }

  result(): OutFrame {
    return {
      ...this.#stamp(),
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 1,
      duration_api_ms: 1,
      num_turns: 1,
      result: 'done',
      total_cost_usd: 0,
      usage: USAGE,
      modelUsage: {},
      permission_denials: [],
    }
  }

  started({ id }: TaskPlan): OutFrame {
    return {
      ...this.#stamp(),
      type: 'system',
      subtype: 'task_started',
      task_id: id,
      tool_use_id: `toolu_${id}`,
      task_type: 'local_workflow',
      workflow_name: 'audit',
      description: 'Audits',
      ...(this.dialect === 'claude-code' && { prompt: 'return 1' }),
    }
  }

  background(running: TaskPlan[]): OutFrame {
    const tasks = running.map(({ id }) => ({
      task_id: id,
      task_type: 'local_workflow',
      description: 'Audits',
    }))
    return { ...this.#stamp(), type: 'system', subtype: 'background_tasks_changed', tasks }
  }

  launched({ id }: TaskPlan): OutFrame {
    return {
      ...this.#stamp(),
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `toolu_${id}`, content: 'launched' }],
      },
      parent_tool_use_id: null,
      tool_use_result: { status: 'async_launched', taskId: id },
    }
  }

  /** A snapshot after so many steps: each agent takes two, its start and its end. */
  progress(plan: TaskPlan, steps: number): OutFrame {
    return this.#progressOf(plan, [
      { type: 'workflow_phase', index: 1, title: 'Read' },
      ...plan.agents.slice(0, Math.ceil(steps / 2)).map((_, at) => this.#row(plan, at, steps)),
    ])
  }

  /** The late snapshot of a stop after so many steps. */
  aborted(plan: TaskPlan, steps: number): OutFrame {
    const rows = plan.agents.slice(0, Math.ceil(steps / 2)).map((_, at) => {
      const row = this.#row(plan, at, steps)
      if (row.state !== 'start') return row
      const error = 'subagent aborted: the run was stopped'
      return { ...row, state: 'error' as const, endedAt: 50, error }
    })
    return this.#progressOf(plan, [{ type: 'workflow_phase', index: 1, title: 'Read' }, ...rows])
  }

  updated({ id, end }: TaskPlan): OutFrame {
    return {
      ...this.#stamp(),
      type: 'system',
      subtype: 'task_updated',
      task_id: id,
      patch: { status: end, end_time: 60 },
    }
  }

  notified(plan: TaskPlan): OutFrame {
    return {
      ...this.#stamp(),
      type: 'system',
      subtype: 'task_notification',
      task_id: plan.id,
      tool_use_id: `toolu_${plan.id}`,
      status: plan.end === 'killed' ? 'stopped' : plan.end,
      summary: 'It ended',
      output_file: '/out.json',
      usage: usageOf(plan.agents.map((_, at) => this.#row(plan, at, 2 * plan.agents.length))),
    }
  }

  #row(plan: TaskPlan, at: number, steps: number): AgentRow {
    const base = { type: 'workflow_agent' as const, index: at + 1, agentId: `v2:${at}`, label: `agent ${at}` }
    const end = plan.agents[at] ?? 'done'
    if (2 * at + 1 === steps) return { ...base, state: 'start', startedAt: at, tokens: 1 }
    const ended = { ...base, startedAt: at, endedAt: at + 1, tokens: 3 }
    if (end === 'error') return { ...ended, state: end, error: 'refused' }
    if (end === 'done') return { ...ended, state: end }
    return this.dialect === 'codebuddy'
      ? { ...ended, state: 'cached' }
      : { ...ended, state: 'done', cached: true }
  }

  #progressOf(plan: TaskPlan, rows: ProgressRow[]): OutFrame {
    return {
      ...this.#stamp(),
      type: 'system',
      subtype: 'task_progress',
      task_id: plan.id,
      tool_use_id: `toolu_${plan.id}`,
      description: 'Audits',
      usage: usageOf(rows),
      workflow_progress: rows,
    }
  }

  #assistant(content: JsonObject[]): OutFrame {
    const message = { id: 'msg', type: 'message', role: 'assistant', content }
    return { ...this.#stamp(), type: 'assistant', message, parent_tool_use_id: null }
  }

  #stamp(): { uuid: string; session_id: string } {
    this.#next += 1
    return { uuid: `00000000-0000-4000-8000-${String(this.#next).padStart(12, '0')}`, session_id: SESSION }
  }
}

function usageOf(rows: ProgressRow[]): { total_tokens: number; tool_uses: number; duration_ms: number } {
  const tokens = rows.map(row => (row.type === 'workflow_agent' ? (row.tokens ?? 0) : 0))
  return { total_tokens: tokens.reduce((sum, one) => sum + one, 0), tool_uses: 0, duration_ms: 1 }
}
