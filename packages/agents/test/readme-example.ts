import { chooseDefaultBackend, createBackends, createExecutor } from '@tutti/agents'
import { createRuntime } from '@tutti/runtime'
import { createMemoryStore } from '@tutti/runtime/testing'

const { name, reason } = chooseDefaultBackend(process.env)
process.stderr.write(`${reason}\n`)

const backends = createBackends({ env: process.env, projectRoot: process.cwd() })
const executor = createExecutor({ backends, default: name })
const runtime = createRuntime({ executor, store: createMemoryStore() })

const run = await runtime.launch({
  source: `export const meta = { name: 'hello', description: 'One question' }
return agent('Name one thing to check before a release.')`,
})
const { value } = await run.result
process.stdout.write(`${JSON.stringify(value)}\n`)
