#!/usr/bin/env node
// Speaks like the command of a product. FAKE_PRODUCT says which, FAKE_WISH what it does; it writes how it was
// called to FAKE_LOG.
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { PRODUCTS } from './products.mjs'

const { FAKE_PRODUCT = 'claude', FAKE_WISH = 'text', FAKE_LOG } = process.env
const args = process.argv.slice(2)
const stdin = readFileSync(0, 'utf8')
if (FAKE_LOG) {
  const entry = { args, stdin, cwd: process.cwd(), env: { ...process.env } }
  appendFileSync(FAKE_LOG, `${JSON.stringify(entry)}\n`)
}
if (args.includes('--version')) {
  process.stdout.write('fake 1.2.3\n')
  process.exit(0)
}
const say = PRODUCTS[FAKE_PRODUCT]
const print = event =>
  process.stdout.write(typeof event === 'string' ? `${event}\n` : `${JSON.stringify(event)}\n`)
const goesOn = args.includes('session-1')
const [wish, detail] = FAKE_WISH.split(':')

switch (wish) {
  case 'text':
    say.begin().forEach(print)
    say.end('hello').forEach(print)
    break
  case 'tools':
    say.begin().forEach(print)
    say.tool('Bash', 'ls -l').forEach(print)
    say.end('done').forEach(print)
    break
  case 'failing-tool':
    say.begin().forEach(print)
    say.tool('Bash', 'false', false).forEach(print)
    say.end('done').forEach(print)
    break
  case 'objects': {
    // A list of objects to hand over, one after the other.
    say.begin().forEach(print)
    const objects = JSON.parse(FAKE_WISH.slice('objects:'.length))
    const server = say.mcp?.(args, process.env)
    if (server) {
      for (const answer of await callTool(server, objects)) print(`# ${answer}`)
      say.end('submitted').forEach(print)
    } else say.object(objects[goesOn ? 1 : 0]).forEach(print)
    break
  }
  case 'silent':
    break
  case 'empty':
    say.begin().forEach(print)
    say.end('').forEach(print)
    break
  case 'cut':
    say.begin().forEach(print)
    say.partial('half an ans').forEach(print)
    break
  case 'garbage':
    process.stdout.write('<html>\u0000\n{not json\n')
    break
  case 'chatter':
    print('Loading configuration …')
    say.begin().forEach(print)
    say.end('hello').forEach(print)
    break
  case 'error':
    say.begin().forEach(print)
    say.error(detail).forEach(print)
    process.exitCode = 1
    break
  case 'exit':
    process.stderr.write(`${FAKE_WISH.split(':').slice(2).join(':')}\n`)
    process.exitCode = Number(detail)
    break
  case 'kill':
    process.kill(process.pid, 'SIGKILL')
    break
  case 'hang':
    say.begin().forEach(print)
    spawn('sleep', ['300'], { stdio: 'ignore' })
    setInterval(() => {}, 1000)
    break
  case 'stubborn':
    process.on('SIGTERM', () => {})
    say.begin().forEach(print)
    setInterval(() => {}, 1000)
    break
  case 'turns':
    for (let i = 0; i < 50; i++) {
      say.begin().forEach(print)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    break
  default:
    throw new Error(`unknown wish ${wish}`)
}

/** Acts as a client of the server; gives the texts that the tool answered. */
async function callTool({ command, args: serverArgs }, objects) {
  const child = spawn(command, serverArgs, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async message => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    return JSON.parse((await lines.next()).value).result
  }
  await ask({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} },
  })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  const { tools } = await ask({ id: 2, method: 'tools/list' })
  const answers = []
  for (const [i, input] of objects.entries()) {
    const params = { name: tools[0].name, arguments: input }
    answers.push((await ask({ id: 3 + i, method: 'tools/call', params })).content[0].text.split('\n')[0])
  }
  child.stdin.end()
  return answers
}
