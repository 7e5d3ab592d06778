// Sessions in which every message of the protocol occurs.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../pnpm.mjs'
import { startHost } from './host.mjs'
import { startModel } from './model.mjs'

const SCRIPT = `export const meta = { name: 'audit', description: 'Audits every route', phases: [{ title: 'Read' }] }
phase('Read')
log('two routes')
return await parallel(['login', 'search'].map(route => () => agent('Audit the route ' + route, { label: route })))
`
const WAITING = SCRIPT.replace("'audit'", "'long-audit'").replace('Audit the route', 'Ponder the route')

const isResult = ({ type }) => type === 'result'
const isSystem = name => frame => frame.type === 'system' && frame.subtype === name

/** Gives the lines of each session by its name, and the folders that stand in them. */
export async function recordSessions() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-examples-')))
  const folders = { project: join(base, 'shop'), store: join(base, 'claude') }
  mkdirSync(join(folders.project, '.claude/workflows'), { recursive: true })
  writeFileSync(join(folders.project, '.claude/workflows/audit.js'), SCRIPT)
  writeFileSync(join(folders.project, '.claude/workflows/long-audit.js'), WAITING)
  writeFileSync(join(folders.project, 'readme.txt'), 'A shop.\n')
  const model = await startModel(answerOfModel)
  try {
    return { folders, sessions: await record(folders, model.url) }
  } finally {
    model.close()
    rmSync(base, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function record({ project, store }, url) {
  const start = (answer, ...args) =>
    startHost({
      program: join(root, 'apps/cli/dist/bin.js'),
      args,
      cwd: project,
      env: {
        PATH: process.env.PATH,
        HOME: store,
        CLAUDE_CONFIG_DIR: store,
        ANTHROPIC_API_KEY: 'key-of-the-example',
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_MODEL: 'example-model',
        TUTTI_MAX_CONCURRENT_AGENTS: '16',
      },
      answer,
    })
  return {
    main: await recordMain(start),
    stop: await recordStop(start),
    baseline: await recordBaseline(start),
  }
}

/** Tools with permission, a hook, a server of the host; a workflow to its end. */
async function recordMain(start) {
  const host = start(answerOfHost, '--permission-prompt-tool', 'stdio', '--include-partial-messages')
  try {
    await host.ask({
      subtype: 'initialize',
      hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'] }] },
      sdkMcpServers: ['weather'],
    })
    host.say('How warm is it, and what is in this folder?')
    await host.until('the first result', isResult)
    for (const request of PLAIN) await host.ask(request)
    host.say('/audit routes=2')
    await host.next('the end of the workflow', isSystem('task_notification'))
    await host.next('the turn about it', frame => isResult(frame) && frame.origin !== undefined)
    host.send({ type: 'keep_alive' })
    await host.end()
    return host.lines
  } finally {
    host.kill()
  }
}

/** Requests about a workflow that runs, and an interrupt; a question that is withdrawn. */
async function recordStop(start) {
  const silent = request =>
    request.subtype === 'can_use_tool' && request.tool_name === 'Bash' ? undefined : answerOfHost(request)
  const host = start(silent, '--permission-prompt-tool', 'stdio')
  try {
    host.say('/long-audit')
    const { task_id } = await host.until('the workflow', isSystem('task_started'))
    await host.until('both agents', frame => rowsOf(frame).length === 2 && rowsOf(frame).every(isAtWork))
    for (const request of requestsAbout(task_id)) await host.ask(request)
    await host.until('the second try', frame => rowsOf(frame).some(row => row.attempt === 2 && isAtWork(row)))
    await host.ask({ subtype: 'interrupt', reason: 'enough' })
    await host.until('the last rows', frame => rowsOf(frame).length === 2 && rowsOf(frame).every(isOver))
    await host.ask({ subtype: 'stop_task', task_id })
    host.say('What is in this folder?')
    await host.next('the question', frame => frame.request?.subtype === 'can_use_tool')
    await host.ask({ subtype: 'interrupt' })
    await host.until('the withdrawal', ({ type }) => type === 'control_cancel_request')
    await host.end()
    return host.lines
  } finally {
    host.kill()
  }
}

/** The other dialect. */
async function recordBaseline(start) {
  const host = start(answerOfHost, '--dialect', 'claude-code', '--permission-mode', 'bypassPermissions')
  try {
    host.say('/audit routes=2')
    await host.until('the turn about it', frame => isResult(frame) && frame.origin !== undefined)
    await host.end()
    return host.lines
  } finally {
    host.kill()
  }
}

const PLAIN = [
  { subtype: 'set_model', model: 'example-model' },
  { subtype: 'set_permission_mode', mode: 'acceptEdits' },
  { subtype: 'set_max_thinking_tokens', max_thinking_tokens: null },
  { subtype: 'apply_flag_settings', settings: { effortLevel: 'low' } },
  { subtype: 'get_settings' },
  { subtype: 'list_models' },
  { subtype: 'mcp_status' },
  { subtype: 'mcp_set_servers', servers: {} },
  { subtype: 'background_tasks' },
  { subtype: 'get_context_usage' },
  { subtype: 'frobnicate' },
]

function requestsAbout(task_id) {
  return [
    { subtype: 'x_tutti_task_state', task_id },
    { subtype: 'x_tutti_raise_limits', task_id, limits: { agents: 20 } },
    { subtype: 'x_tutti_retry_agent', task_id, agent: 'search' },
    { subtype: 'x_tutti_skip_agent', task_id, agent: 'nobody' },
    { subtype: 'x_tutti_answer', task_id, ask_id: 'a1', value: 'yes' },
    { subtype: 'x_tutti_pause_task', task_id },
    { subtype: 'x_tutti_resume_task', task_id },
  ]
}

function rowsOf(frame) {
  return (frame.workflow_progress ?? []).filter(({ type }) => type === 'workflow_agent')
}

function isOver({ state }) {
  return state === 'error'
}

/** The model has begun to answer. */
function isAtWork({ lastProgressAt }) {
  return lastProgressAt !== undefined
}

function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

function answerOfModel(heard) {
  if (heard.startsWith('How warm')) return { tool: 'mcp__weather__temperature', input: { place: 'Oslo' } }
  if (heard.includes('12 degrees'))
    return { tool: 'Bash', input: { command: 'ls', description: 'Lists the files' } }
  if (heard.startsWith('What is in'))
    return { tool: 'Bash', input: { command: 'ls', description: 'Lists the files' } }
  if (heard.includes('Ponder')) return undefined
  // The second comes last, so that the examples are the same each time.
  if (heard.includes('Audit the route search')) return pause(400).then(() => 'Nothing to complain about.')
  if (heard.includes('Audit the route')) return 'Nothing to complain about.'
  if (heard.includes('task-notification')) return 'Both routes are fine.'
  return 'It has 12 degrees, and there is one file.'
}

function answerOfHost(request) {
  if (request.subtype === 'can_use_tool') return { behavior: 'allow', updatedInput: request.input }
  if (request.subtype === 'hook_callback') return { continue: true }
  if (request.subtype === 'mcp_message') return { mcp_response: answerOfServer(request.message) }
  return {}
}

/** A server of tools inside the host. */
function answerOfServer({ id, method }) {
  const head = { jsonrpc: '2.0', id: id ?? 0 }
  const schema = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] }
  switch (method) {
    case 'initialize':
      return {
        ...head,
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'weather', version: '1.0.0' },
        },
      }
    case 'tools/list':
      return {
        ...head,
        result: { tools: [{ name: 'temperature', description: 'How warm it is', inputSchema: schema }] },
      }
    case 'tools/call':
      return { ...head, result: { content: [{ type: 'text', text: '12 degrees' }] } }
    default:
      return { ...head, result: {} }
  }
}
