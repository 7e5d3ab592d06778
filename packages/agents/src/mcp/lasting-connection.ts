import { connectServer, type ConnectOptions, type McpConnection } from './connection.ts'

/** A connection that is made anew at the next call when the server has ended by itself. */
export async function connectLasting(options: ConnectOptions): Promise<McpConnection> {
  let current = Promise.resolve(await connectServer(options))
  const { tools } = await current
  let closed = false

  async function live(): Promise<McpConnection> {
    const known = current
    const connection = await known.catch(() => undefined)
    if (connection && (closed || !connection.ended)) return connection
    // Calls that wait here share one attempt; once closed there is none.
    if (current === known && !closed) current = connectServer(options)
    return current
  }

  return {
    tools,
    get ended() {
      return closed
    },
    call: async (tool, input, signal) => (await live()).call(tool, input, signal),
    async close() {
      closed = true
      await (await current.catch(() => undefined))?.close()
    },
  }
}
