// main [--port N] [--script rules.json] [--monkey seed]: the model server by itself, until it is stopped.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { monkey } from './monkey.ts'
import { scripted, type ScriptRule } from './script.ts'
import { startMockModel } from './server.ts'

const { values } = parseArgs({
  options: { port: { type: 'string' }, script: { type: 'string' }, monkey: { type: 'string' } },
})
const rules =
  values.script === undefined ? [] : (JSON.parse(readFileSync(values.script, 'utf8')) as ScriptRule[])
if (!Array.isArray(rules)) throw new Error(`${values.script}: a list of rules is expected`)
const replies = values.monkey === undefined ? scripted(rules) : monkey(Number(values.monkey))
const { url, close } = await startMockModel({ replies, port: Number(values.port ?? 0), keepRequests: false })
console.log(`model server at ${url}

Anthropic  export ANTHROPIC_API_KEY=none ANTHROPIC_BASE_URL=${url}
OpenAI     export OPENAI_API_KEY=none OPENAI_BASE_URL=${url}/v1 OPENAI_MODEL=mock
Gemini     export GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL=${url}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
