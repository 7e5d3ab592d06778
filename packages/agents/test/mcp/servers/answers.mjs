import { spawn } from 'node:child_process'

/** Answers a message of the Model Context Protocol; undefined for what needs no answer. */
export async function answerTo({ id, method, params = {} }) {
  if (id === undefined) return undefined
  const result = await resultOf(method, params)
  return result instanceof Error
    ? { jsonrpc: '2.0', id, error: { code: -32603, message: result.message } }
    : { jsonrpc: '2.0', id, result }
}

const tool = (name, description) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
})
const text = value => ({ content: [{ type: 'text', text: value }] })

async function resultOf(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'test', version: '1' },
      }
    case 'tools/list':
      return {
        tools: [
          tool('shout', 'Makes it loud'),
          tool('fail', 'Fails'),
          tool('env', 'Variables'),
          tool('hang', 'Hangs'),
          tool('child', 'Starts something'),
        ],
      }
    case 'tools/call':
      return callOf(params.name, params.arguments ?? {})
    default:
      return new Error(`no ${method}`)
  }
}

function callOf(name, input) {
  switch (name) {
    case 'shout':
      return text(String(input.text).toUpperCase())
    case 'fail':
      return { ...text('it went wrong'), isError: true }
    case 'env':
      return text(JSON.stringify(process.env))
    case 'hang':
      return new Promise(() => {})
    case 'child':
      return text(`${process.pid} ${spawn('sleep', ['60'], { stdio: 'ignore' }).pid}`)
    default:
      return new Error(`no tool ${name}`)
  }
}
