import type { SeededNumbers } from '../stage/seeded-numbers.ts'

/** Larger than what stays in the journal. */
const LARGE = 300 * 1024

/** A project whose run goes through everything at once: parallel, pipeline, children at
 * once and one after the other, timers, commands, large results. */
export function mixedProject(numbers: SeededNumbers): Record<string, string> {
  const lanes = 3 + numbers.below(5)
  const parts = [
    `pipeline(Array.from({ length: ${lanes} }, (_, i) => i),
      (_, i) => agent('first ' + i, { label: 'a' + i }),
      (previous, i) => agent('second ' + previous, { label: 'b' + i }),
      (previous, i) => agent('third ' + previous, { label: 'c' + i }))`,
    `parallel(Array.from({ length: ${lanes * 2} }, (_, i) => () => agent('wide ' + (i % ${lanes}), { label: 'w' + i })))`,
    `parallel([1, 2].map(i => async () => (await agent('large ' + i, { label: 'large' + i })).length))`,
    `parallel([1, 2].map(i => () => workflow({ scriptPath: './child.js' }, { i })))`,
    `(async () => { const all = []; for (const i of [3, 4, 5]) all.push(await workflow({ scriptPath: './child.js' }, { i })); return all })()`,
    `agent('sleep 0.1; echo from the shell', { agentType: 'shell', backend: 'shell', label: 'command' })`,
    `(async () => { for (let i = 0; i < 3; i++) { await sleep(${5 + numbers.below(20)}); await agent('slept ' + i, { label: 's' + i }) } return 'slept' })()`,
  ]
  const main = `export const meta = { name: 'mixed', description: 'Is killed' }
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
return await Promise.all([
  ${parts.join(',\n  ')},
])
`
  const child = `export const meta = { name: 'child', description: 'Is killed too' }
const one = await agent('child ' + args.i, { label: 'k' })
return [one, await parallel([0, 1].map(j => () => agent(one + ' again ' + j, { label: 'k' })))]
`
  const afterMs = 1 + numbers.below(40)
  const table = {
    large1: { ok: 'x'.repeat(LARGE), afterMs, effects: 'none' },
    large2: { ok: 'y'.repeat(LARGE), effects: 'unknown' },
    k: { echo: true, afterMs: 1 + numbers.below(30), effects: 'yes' },
    '*': { echo: true, afterMs: 1 + numbers.below(30), effects: numbers.pick(['none', 'unknown', 'yes']) },
  }
  return { 'main.js': main, 'child.js': child, 'agents.json': JSON.stringify(table) }
}
