import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startMockModel } from '@tutti-internal/mock-model'
import { build } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRepository } from '../worktree/repository.ts'

const PARENT = fileURLToPath(new URL('fake/orphan-parent.mjs', import.meta.url))
let folder: string
let bundle: string

/** The parent is a process of its own, which cannot read TypeScript; packages are found from where the bundle is. */
beforeAll(async () => {
  const base = fileURLToPath(new URL('../../node_modules/.tutti-test/', import.meta.url))
  mkdirSync(base, { recursive: true })
  folder = mkdtempSync(join(base, 'orphans-'))
  bundle = join(folder, 'backends.mjs')
  const input = fileURLToPath(new URL('../../src/backends.ts', import.meta.url))
  await build({
    input,
    platform: 'node',
    external: /^[^./]/,
    logLevel: 'silent',
    output: { dir: folder, entryFileNames: 'backends.mjs', format: 'esm' },
  })
})

afterAll(() => rmSync(folder, { recursive: true }))

function workingBelow(place: string): string[] {
  return readdirSync('/proc').flatMap(pid => {
    try {
      const cwd = readlinkSync(`/proc/${Number(pid)}/cwd`)
      if (cwd !== place && !cwd.startsWith(`${place}/`)) return []
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
    } catch {
      return []
    }
  })
}

async function until(condition: () => boolean): Promise<void> {
  for (let look = 0; look < 500 && !condition(); look++) await new Promise(resolve => setTimeout(resolve, 20))
}

test.skipIf(!existsSync('/proc/self/cwd')).each(['project', 'worktree'])(
  'a program that is killed leaves nothing of the commands of its built-in agent, in its %s',
  async place => {
    using repository = createRepository()
    const command = '(sleep 300; true) & sh -c "sleep 300; true" & sleep 300'
    await using server = await startMockModel({
      replies: [{ toolCalls: [{ name: 'Bash', input: { command } }] }],
    })
    const args = [PARENT, pathToFileURL(bundle).href, server.url, repository.root, place]
    const program = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    const sleeping = (): string[] => workingBelow(repository.root).filter(line => line.startsWith('sleep'))
    await until(() => sleeping().length === 3)
    expect(sleeping()).toHaveLength(3)
    program.kill('SIGKILL')
    await once(program, 'exit')
    await until(() => workingBelow(repository.root).length === 0)
    expect(workingBelow(repository.root)).toEqual([])
  },
  60_000,
)
