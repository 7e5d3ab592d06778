// How each product tells things, after its documentation and what it printed.
import { readFileSync } from 'node:fs'

const after = (args, flag) => args[args.indexOf(flag) + 1]
const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 2,
}

const claude = {
  begin: () => [{ type: 'system', subtype: 'init', session_id: 'session-1', model: 'model-x', tools: [] }],
  partial: text => [
    { type: 'assistant', message: { content: [{ type: 'text', text }] }, session_id: 'session-1' },
  ],
  tool: (name, command, ok = true) => [
    { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name, input: { command } }] } },
    {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x', is_error: !ok }] },
    },
  ],
  end: text => [
    ...(text === '' ? [] : claude.partial(text)),
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: text,
      session_id: 'session-1',
      num_turns: 1,
      total_cost_usd: 0.25,
      usage,
    },
  ],
  object: object => [
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'see structured_output',
      structured_output: object,
      session_id: 'session-1',
      total_cost_usd: 0.25,
      usage,
    },
  ],
  error: message => [
    {
      type: 'result',
      subtype: message === 'max turns' ? 'error_max_turns' : 'error_during_execution',
      is_error: true,
      result: message,
      session_id: 'session-1',
      usage,
    },
  ],
}

const codebuddy = {
  ...claude,
  mcp: args => JSON.parse(readFileSync(after(args, '--mcp-config'), 'utf8')).mcpServers.tutti,
}

const codex = {
  begin: () => [{ type: 'thread.started', thread_id: 'session-1' }, { type: 'turn.started' }],
  partial: text => [{ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } }],
  tool: (_, command, ok = true) => [
    { type: 'item.started', item: { id: 'i', type: 'command_execution', command, status: 'in_progress' } },
    {
      type: 'item.completed',
      item: {
        id: 'i',
        type: 'command_execution',
        command,
        aggregated_output: 'x',
        exit_code: ok ? 0 : 1,
        status: ok ? 'completed' : 'failed',
      },
    },
  ],
  end: text => [
    ...(text === '' ? [] : codex.partial(text)),
    {
      type: 'turn.completed',
      usage: { input_tokens: 15, cached_input_tokens: 3, cache_write_input_tokens: 2, output_tokens: 5 },
    },
  ],
  object: object => codex.end(JSON.stringify(object)),
  error: message => [
    { type: 'error', message },
    { type: 'turn.failed', error: { message } },
  ],
  mcp(args) {
    if (args.includes('--output-schema')) return undefined
    const setting = name => args.find(arg => arg.startsWith(name))?.slice(name.length + 1)
    return {
      command: JSON.parse(setting('mcp_servers.tutti.command')),
      args: JSON.parse(setting('mcp_servers.tutti.args')),
    }
  },
}

const stats = {
  total_tokens: 20,
  input_tokens: 15,
  output_tokens: 5,
  cached: 5,
  duration_ms: 1,
  tool_calls: 0,
}

const gemini = {
  begin: () => [
    { type: 'init', session_id: 'session-1', model: 'model-x' },
    { type: 'message', role: 'user', content: 'prompt' },
  ],
  partial: text => [
    { type: 'message', role: 'assistant', content: text.slice(0, 2), delta: true },
    { type: 'message', role: 'assistant', content: text.slice(2), delta: true },
  ],
  tool: (name, command, ok = true) => [
    ...gemini.partial('I will look.'),
    { type: 'tool_use', tool_name: name, tool_id: 't1', parameters: { command } },
    { type: 'tool_result', tool_id: 't1', status: ok ? 'success' : 'error', output: 'x' },
  ],
  end: text => [...(text === '' ? [] : gemini.partial(text)), { type: 'result', status: 'success', stats }],
  error: message => [{ type: 'result', status: 'error', error: { type: 'ApiError', message }, stats }],
  mcp: (_, env) => JSON.parse(readFileSync(env.GEMINI_CLI_SYSTEM_SETTINGS_PATH, 'utf8')).mcpServers.tutti,
}

const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 3, write: 2 } }

const opencode = {
  begin: () => [{ type: 'step_start', sessionID: 'session-1', part: { type: 'step-start' } }],
  partial: text => [{ type: 'text', sessionID: 'session-1', part: { type: 'text', text } }],
  tool: (tool, title, ok = true) => [
    {
      type: 'tool_use',
      sessionID: 'session-1',
      part: { tool, state: { status: ok ? 'completed' : 'error', title } },
    },
  ],
  end: text => [
    ...(text === '' ? [] : opencode.partial(text)),
    { type: 'step_finish', sessionID: 'session-1', part: { reason: 'stop', tokens, cost: 0.25 } },
  ],
  error: message => [
    { type: 'error', sessionID: 'session-1', error: { name: 'APIError', data: { message } } },
  ],
  mcp(_, env) {
    const [command, ...args] = JSON.parse(env.OPENCODE_CONFIG_CONTENT).mcp.tutti.command
    return { command, args }
  },
}

const plain = {
  begin: () => [],
  partial: text => [text],
  tool: () => [],
  end: text => [text],
  object: object => [JSON.stringify(object)],
  error: message => [message],
}

export const PRODUCTS = { claude, codebuddy, codex, gemini, opencode, plain, qwen: claude }
