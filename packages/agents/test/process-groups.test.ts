import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProcessGroups } from '../src/process-groups.ts'

let folder: string
let bundle: string

/** The parent is a process of its own, which cannot read TypeScript. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tutti-groups-'))
  bundle = join(folder, 'process-groups.mjs')
  const input = fileURLToPath(new URL('../src/process-groups.ts', import.meta.url))
  await build({ input, platform: 'node', logLevel: 'silent', output: { file: bundle, format: 'esm' } })
})

afterAll(() => rmSync(folder, { recursive: true }))

function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

async function gone(group: number): Promise<boolean> {
  for (let i = 0; i < 100 && isAlive(group); i++) await new Promise(resolve => setTimeout(resolve, 20))
  return !isAlive(group)
}

async function parent(): Promise<{ process: ChildProcess; group: number }> {
  const script = fileURLToPath(new URL('cli/fake/orphan-parent.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, pathToFileURL(bundle).href], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, group: Number(line) }
}

test.each(['SIGKILL', 'SIGTERM', 'SIGSEGV'] as const)(
  'a program ended by %s leaves nothing of its agents',
  async signal => {
    const { process: child, group } = await parent()
    expect(isAlive(group)).toBe(true)
    child.kill(signal)
    await once(child, 'exit')
    expect(await gone(group)).toBe(true)
  },
)

test('a group that has been removed is left alone, and killAll ends the rest', async () => {
  const groups = createProcessGroups()
  const [left, ended] = [0, 1].map(
    () => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).pid as number,
  )
  for (const group of [left, ended]) groups.add(group as number)
  groups.remove(left as number)
  groups.killAll()
  expect(await gone(ended as number)).toBe(true)
  expect(isAlive(left as number)).toBe(true)
  process.kill(-(left as number), 'SIGKILL')
})
