import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { report, rounds, seed } from '../bounds.ts'
import { seededNumbers } from '../stage/seeded-numbers.ts'
import { startTutti } from './command.ts'
import { processesBelow, processesLeft } from './processes.ts'
import { Project } from './project.ts'

const ROUNDS = rounds(2, 20)
const COMMANDS = 4

/** Commands that would go on for an hour, with children of their own, one in the background. */
const SCRIPT = `export const meta = { name: 'long', description: 'Is killed' }
const command = i => '(sleep 3600; true) & sh -c "sleep 3600; true"; echo ' + i
return parallel(Array.from({ length: ${COMMANDS} }, (_, i) => () =>
  agent('touch began-' + i + '; ' + command(i), { agentType: 'shell', label: 'command ' + i })))
`

let seen = 0
afterAll(() =>
  report('orphans', `${ROUNDS} kills, ${seen} processes of commands seen, none left; seed ${seed}`),
)

it.skipIf(!existsSync('/proc/self/cwd')).each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
  'a killed process leaves none of the commands of its agents, round %i',
  async round => {
    const numbers = seededNumbers(seed + round)
    using project = Project.create({ 'main.js': SCRIPT })
    const flags = ['--backend', 'simulate', '--allow-shell', '--concurrency', String(COMMANDS)]
    const running = startTutti(project, ['run', 'main.js', ...flags])
    const begun = 1 + numbers.below(COMMANDS)
    while (
      !Array.from({ length: begun }, (_, i) => existsSync(join(project.path, `began-${i}`))).every(Boolean)
    ) {
      expect(running.child.exitCode, 'the command has ended before its agents began').toBeNull()
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    seen += processesBelow(project.path).length - 1
    running.child.kill('SIGKILL')
    await running.finished
    expect(await processesLeft(project.path)).toEqual([])
  },
  60_000,
)
