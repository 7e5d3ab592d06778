// A host that holds one session, answers what it is asked and keeps every line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const PATIENCE_MS = 30_000
const FORMATS = ['--input-format', 'stream-json', '--output-format', 'stream-json']

export function startHost({ program, args, cwd, env, answer }) {
  const child = spawn(process.execPath, [program, ...FORMATS, ...args], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = []
  let wake = () => {}
  let asked = 0

  createInterface({ input: child.stdout })
    .on('line', text => {
      const frame = JSON.parse(text)
      lines.push({ from: 'session', frame })
      if (frame.type === 'control_request') reply(frame)
      wake()
    })
    .on('close', () => {
      lines.ended = true
      wake()
    })

  function send(frame) {
    lines.push({ from: 'host', frame })
    child.stdin.write(`${JSON.stringify(frame)}\n`)
  }

  /** No answer: it stays open. */
  function reply({ request_id, request }) {
    const response = answer(request)
    if (response === undefined) return
    send({ type: 'control_response', response: { subtype: 'success', request_id, response } })
  }

  async function until(what, fits, from = 0) {
    const end = Date.now() + PATIENCE_MS
    for (;;) {
      const found = lines.slice(from).find(({ from: who, frame }) => who === 'session' && fits(frame))
      if (found) return found.frame
      if (lines.ended || Date.now() > end) throw new Error(`protocol examples: ${what} was not seen`)
      await Promise.race([new Promise(resolve => (wake = resolve)), pause(1_000)])
    }
  }

  return {
    lines,
    send,
    until,
    /** What comes after now. */
    next: (what, fits) => until(what, fits, lines.length),
    say: content => send({ type: 'user', message: { role: 'user', content } }),
    async ask(request) {
      const request_id = `request-${++asked}`
      send({ type: 'control_request', request_id, request })
      const { response } = await until(
        `the answer to ${request.subtype}`,
        frame => frame.type === 'control_response' && frame.response.request_id === request_id,
      )
      return response
    },
    async end() {
      const closed = once(child, 'close')
      child.stdin.end()
      await closed
    },
    kill: () => child.kill('SIGKILL'),
  }
}

function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
