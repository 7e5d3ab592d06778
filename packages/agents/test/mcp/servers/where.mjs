// A server with one tool, which tells where it works.
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const result = resultOf(method, params)
  if (id !== undefined && result) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}

function resultOf(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'where', version: '1' },
      }
    case 'tools/list':
      return { tools: [{ name: 'where', description: 'Tells where.', inputSchema: { type: 'object' } }] }
    case 'tools/call':
      return { content: [{ type: 'text', text: `cwd=${process.cwd()} pid=${process.pid}` }] }
    default:
      return {}
  }
}
