import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { answerMcp, type McpTool } from './mcp-server.ts'

/** How an agent of another product starts the server that has the tool. */
export interface McpCommand {
  command: string
  args: string[]
}

export interface ServedTool extends AsyncDisposable {
  command: McpCommand
}

const LONGEST_LINE = 16 * 1024 * 1024

/** Joins its standard streams with a socket: the server itself is in this process. */
const BRIDGE =
  "const s=require('net').connect(process.argv[1]);s.on('error',()=>process.exit(1));s.on('close',()=>process.exit(0));process.stdin.pipe(s).pipe(process.stdout)"

/** Serves the tool on a socket in `folder`, which nobody else may be able to enter. */
export async function serveTool(tool: McpTool, folder: string): Promise<ServedTool> {
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\tutti-${randomUUID()}` : join(folder, 'out.sock')
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => void sockets.delete(socket))
    converse(socket, tool)
  })
  server.listen(path)
  await once(server, 'listening')
  server.unref()
  return {
    command: { command: process.execPath, args: ['-e', BRIDGE, path] },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** One JSON message a line, both ways. */
function converse(socket: Socket, tool: McpTool): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_LINE) return void socket.destroy()
    for (const line of lines) if (line.trim() !== '') answer(line)
  })

  function answer(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line, withoutInfinity)
    } catch {
      message = undefined
    }
    const reply = answerMcp(message, tool)
    if (reply) socket.write(`${JSON.stringify(reply)}\n`)
  }
}

/** A number too large for a double becomes text, which no schema takes for a number. */
function withoutInfinity(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
