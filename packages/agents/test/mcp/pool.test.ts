import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createVirtualClock } from '@tutti/runtime/testing'
import { expect, test } from 'vitest'
import { createMcpPool, type McpVisit } from '../../src/mcp/pool.ts'
import { projectWith, type Project } from '../tools/project.ts'

const args = [fileURLToPath(new URL('servers/stdio.mjs', import.meta.url))]

function poolIn(project: Project) {
  const clock = createVirtualClock()
  const { root: cwd, workplace } = project
  const pool = createMcpPool({
    servers: { s: { command: process.execPath, args } },
    cwd,
    env: workplace.env,
    clock,
  })
  return { clock, pool }
}

/** The process of the server. */
async function pidOf(visit: McpVisit, project: Project): Promise<number> {
  const child = visit.tools.find(tool => tool.name === 'mcp__s__child')
  const { text } = await (await child!.prepare({}, project.workplace)).run()
  return Number(text.split(' ')[0])
}

test('agents share a server, which ends a while after the last of them', async () => {
  await using project = await projectWith()
  const { clock, pool } = poolIn(project)
  const [first, second] = await Promise.all([pool.enter(), pool.enter()])
  const pid = await pidOf(first, project)
  expect(await pidOf(second, project)).toBe(pid)
  first.leave()
  first.leave()
  await clock.advance(60_000)
  expect(await pidOf(second, project)).toBe(pid)
  second.leave()
  await clock.advance(2999)
  const third = await pool.enter()
  await clock.advance(60_000)
  expect(await pidOf(third, project)).toBe(pid)
  third.leave()
  await clock.advance(3000)
  await gone(pid)
  const fourth = await pool.enter()
  expect(await pidOf(fourth, project)).not.toBe(pid)
  fourth.leave()
  await clock.advance(3000)
})

async function gone(pid: number): Promise<void> {
  for (;;) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    if (state === undefined || state.split(') ')[1]?.startsWith('Z')) return
    await new Promise(resolve => setImmediate(resolve))
  }
}
