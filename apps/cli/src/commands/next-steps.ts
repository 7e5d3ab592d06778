import type { DefaultBackend } from '@tutti/agents'
import type { BackendReport } from '@tutti/agents/probe'
import { safeLine } from '../render/text-width.ts'

/** What to do, and commands that can be typed as they stand but for `…`. */
export interface NextStep {
  what: string
  commands: string[]
}

const HELLO = `echo "export const meta = { name: 'hello', description: 'First steps' }; return agent('Say hello')" > hello.js`

/** What somebody who is new here would do, in this order; `tutti`: how the command is typed here. */
export function nextSteps(backends: BackendReport[], chosen: DefaultBackend, tutti: string): NextStep[] {
  const run = `${tutti} run hello.js`
  const usable = backends.some(({ name, usable }) => usable && name === chosen.name)
  if (usable && chosen.name !== 'simulate')
    return [
      { what: `Run a workflow; its agents work on ${safeLine(chosen.name)}:`, commands: [HELLO, run] },
      {
        what: 'Or see what it would ask for first, and with made-up answers how it goes:',
        commands: [`${run} --plan`, `${run} --backend simulate`],
      },
    ]
  const steps: NextStep[] = []
  if (!usable)
    steps.push({
      what: `Mend ${safeLine(chosen.name)}, which the settings choose: see its line above; or choose another:`,
      commands: [`${tutti} config tutti.backend`],
    })
  const installed = backends.filter(({ kind, usable: can }) => can && (kind === 'cli' || kind === 'acp'))
  const [first] = installed
  if (first !== undefined)
    steps.push({
      what: `Let ${safeLine(first.name)} do the work, with its own login and at its cost:`,
      commands: [HELLO, ...installed.map(({ name }) => `${run} --backend ${safeLine(name)}`)],
    })
  else
    steps.push({
      what: 'See a workflow run, with answers that are made up and cost nothing:',
      commands: [HELLO, usable ? run : `${run} --backend simulate`],
    })
  steps.push({
    what: 'Let a model do the work; its provider gives you a key:',
    commands: [
      'export ANTHROPIC_API_KEY=…   # or OPENAI_API_KEY, or GEMINI_API_KEY',
      usable ? run : `${run} --backend model`,
    ],
  })
  if (first === undefined)
    steps.push({
      what: 'Or let an agent product do it, with its own login and at its cost:',
      commands: ['npm install -g @openai/codex', 'codex login', `${run} --backend cli:codex`],
    })
  return steps
}
