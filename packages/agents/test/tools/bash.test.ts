import { readFile, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { bashTool } from '../../src/tools/bash.ts'
import { readTool } from '../../src/tools/read.ts'
import { projectWith } from './project.ts'

describe('Bash', () => {
  test('returns both streams in the order of their lines', async () => {
    await using project = await projectWith()
    const { text, failed } = await project.use(bashTool, { command: 'pwd; echo oops >&2' })
    expect(failed).toBeUndefined()
    expect(text.split('\n').toSorted()).toEqual([project.root, 'oops'].toSorted())
    expect((await project.use(bashTool, { command: 'true' })).text).toBe('[no output]')
  })

  test('a failure has its exit code and its output', async () => {
    await using project = await projectWith()
    expect(await project.use(bashTool, { command: 'echo no; exit 3' })).toEqual({
      text: 'no\n[exit code 3]',
      failed: true,
    })
  })

  test('it has no input, and each command starts anew', async () => {
    await using project = await projectWith({ 'sub/x': '' })
    expect((await project.use(bashTool, { command: 'cat; cd sub; A=1' })).text).toBe('[no output]')
    expect((await project.use(bashTool, { command: 'echo "$A$(basename "$PWD")"' })).text).toBe(
      project.root.split('/').at(-1),
    )
  })

  test('beyond its time everything it started is ended', async () => {
    await using project = await projectWith()
    const command = '(trap "" TERM; sleep 60 & echo $!; wait) & wait'
    const { text, failed } = await project.use(bashTool, { command, timeout: 200 })
    expect(failed).toBe(true)
    expect(text).toContain('[ended after 200 ms]')
    await gone(Number(text.split('\n')[0]))
  })

  test('a stop ends it', async () => {
    await using project = await projectWith()
    project.workplace.alive = () => project.stop.abort()
    const { text } = await project.use(bashTool, { command: 'echo $$; sleep 60' })
    expect(text).toContain('[stopped]')
    await gone(Number(text.split('\n')[0]))
  })

  test('long output is cut, and all of it is in a file that only its owner can read', async () => {
    await using project = await projectWith()
    const { text } = await project.use(bashTool, { command: 'seq 1 40000; echo end' })
    expect(text.length).toBeLessThan(30_000)
    expect(text).toMatch(/^1\n2\n/)
    expect(text).toMatch(/\nend$/)
    const path = /in (\S+),/.exec(text)?.[1] ?? ''
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(40_002)
    expect((await project.use(readTool, { file_path: path, offset: 30_000, limit: 1 })).text).toContain(
      '30000→30000',
    )
    await project.workplace.spill.end()
    await expect(stat(path)).rejects.toThrow('ENOENT')
  })

  test('a time beyond ten minutes is refused', async () => {
    await using project = await projectWith()
    expect((await project.use(bashTool, { command: 'true', timeout: 600_001 })).failed).toBe(true)
  })
})

/** Resolves when the process is no more, or only waits to be reaped. */
async function gone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1)
  for (;;) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    if (state === undefined || state.split(') ')[1]?.startsWith('Z')) return
    await new Promise(resolve => setImmediate(resolve))
  }
}
