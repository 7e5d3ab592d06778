#!/usr/bin/env node
// An agent that speaks the Agent Client Protocol and does what FAKE_WISH says.
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'

const { FAKE_WISH = 'text', FAKE_LOG, FAKE_GOES_ON = '' } = process.env
const [wish, detail] = FAKE_WISH.split(':')
const note = entry => FAKE_LOG && appendFileSync(FAKE_LOG, `${JSON.stringify(entry)}\n`)

if (wish === 'garbage') {
  process.stdout.write('<html>\n{broken\n')
  process.exit(0)
}
if (wish === 'exit') {
  process.stderr.write(`${FAKE_WISH.split(':').slice(2).join(':')}\n`)
  process.exit(Number(detail))
}
if (wish === 'mute') setInterval(() => {}, 1000)
else serve()

function serve() {
  let session
  let cancelled = () => {}
  let prompts = 0
  if (wish === 'chatter') process.stdout.write('Loading configuration …\n')
  agent({ name: 'fake' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: wish === 'version' ? 99 : 1,
      agentCapabilities: {
        ...(FAKE_GOES_ON.includes('load') && { loadSession: true }),
        ...(FAKE_GOES_ON.includes('resume') && { sessionCapabilities: { resume: {} } }),
      },
    }))
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      note({ load: params.sessionId, cwd: params.cwd })
      if (params.sessionId === 'unknown') throw new RequestError(-32602, 'no such session')
      session = params
      const tell = update =>
        client.notify(methods.client.session.update, { sessionId: params.sessionId, update })
      await tell({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'old prompt' } })
      await tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'old answer' } })
      await tell({
        sessionUpdate: 'tool_call',
        toolCallId: 'old',
        title: 'rm x',
        kind: 'execute',
        status: 'completed',
      })
      return {}
    })
    .onRequest(methods.agent.session.resume, ({ params }) => {
      note({ resume: params.sessionId, cwd: params.cwd })
      session = params
      return {}
    })
    .onRequest(methods.agent.session.new, ({ params }) => {
      if (wish === 'auth') throw RequestError.authRequired()
      session = params
      note({ cwd: params.cwd, mcpServers: params.mcpServers })
      const options = [
        { value: 'lab/model-s', name: 'S' },
        { value: 'lab/model-l', name: 'L' },
      ]
      const model = {
        id: 'model',
        name: 'Model',
        category: 'model',
        type: 'select',
        currentValue: 'lab/model-s',
        options,
      }
      return { sessionId: 'session-1', ...(wish !== 'plain' && { configOptions: [model] }) }
    })
    .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
      note({ set: params.value })
      return { configOptions: [] }
    })
    .onNotification(methods.agent.session.cancel, () => {
      note({ cancelled: true })
      if (wish !== 'stubborn') cancelled()
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      prompts++
      note({ prompt: params.prompt[0].text })
      const update = fields =>
        client.notify(methods.client.session.update, { sessionId: 'session-1', update: fields })
      const say = text => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
      return answer({ update, say, client })
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))

  async function answer({ update, say, client }) {
    switch (wish) {
      case 'text':
      case 'chatter':
      case 'plain':
        await say('hel')
        await say('lo')
        await update({
          sessionUpdate: 'usage_update',
          used: 15,
          size: 1000,
          cost: { amount: 0.5, currency: 'USD' },
        })
        return {
          stopReason: 'end_turn',
          _meta: { quota: { token_count: { input_tokens: 10, output_tokens: 5 } } },
        }
      case 'tools':
      case 'failing-tool':
        await say('I will look.')
        await update({
          sessionUpdate: 'tool_call',
          toolCallId: 't1',
          title: 'ls -l',
          kind: 'execute',
          status: 'in_progress',
        })
        await update({
          sessionUpdate: 'tool_call_update',
          toolCallId: 't1',
          status: wish === 'tools' ? 'completed' : 'failed',
        })
        await say('done')
        return { stopReason: 'end_turn' }
      case 'ask': {
        // What to ask for, as JSON.
        const toolCall = { toolCallId: 't1', ...JSON.parse(FAKE_WISH.slice('ask:'.length)) }
        const options = [
          { optionId: 'always', name: 'Always', kind: 'allow_always' },
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ]
        const params = { sessionId: 'session-1', toolCall, options }
        const { outcome } = await client.request(methods.client.session.requestPermission, params)
        await say(outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome)
        return { stopReason: 'end_turn' }
      }
      case 'write': {
        // Writes a file of that name, if it may.
        const toolCall = { toolCallId: 't1', kind: 'execute', title: `touch ${detail}` }
        const options = [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ]
        const params = { sessionId: 'session-1', toolCall, options }
        const { outcome } = await client.request(methods.client.session.requestPermission, params)
        if (outcome.optionId === 'yes') writeFileSync(join(session.cwd, detail), '')
        if (FAKE_WISH.endsWith(':or end') && outcome.optionId !== 'yes') return { stopReason: 'end_turn' }
        await say('done')
        return { stopReason: 'end_turn' }
      }
      case 'objects': {
        const objects = JSON.parse(FAKE_WISH.slice('objects:'.length))
        const stopped = await callTool(session.mcpServers[0], objects)
        await say('submitted')
        return { stopReason: stopped ? 'cancelled' : 'end_turn' }
      }
      case 'late':
        // Hands its object over when it is told to.
        if (prompts === 2) await callTool(session.mcpServers[0], [{ n: 1 }])
        return { stopReason: 'end_turn' }
      case 'stop':
        await say('partial')
        return { stopReason: detail }
      case 'error':
        throw new RequestError(-32603, 'Internal error', { details: detail })
      case 'empty':
        return { stopReason: 'end_turn' }
      case 'die':
        await say('half an ans')
        process.kill(process.pid, 'SIGKILL')
        return new Promise(() => {})
      case 'hang':
      case 'stubborn':
        spawn('sleep', ['300'], { stdio: 'ignore' })
        if (wish === 'stubborn') process.on('SIGTERM', () => {})
        await say('working')
        return new Promise(resolve => (cancelled = () => resolve({ stopReason: 'cancelled' })))
      default:
        throw new Error(`unknown wish ${wish}`)
    }
  }

  /** True when the turn was cancelled meanwhile. */
  async function callTool({ command, args }, objects) {
    let stop = false
    cancelled = () => (stop = true)
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    for (const [id, input] of objects.entries()) {
      const call = {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'StructuredOutput', arguments: input },
      }
      child.stdin.write(`${JSON.stringify(call)}\n`)
      await lines.next()
      await new Promise(resolve => setTimeout(resolve, 10))
      if (stop) return true
    }
    child.stdin.end()
    return false
  }
}
