import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startGated } from '../../src/shell/gated-process.ts'

const env = { PATH: process.env['PATH'] ?? '' }

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-gate-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

function workingIn(place: string): string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      return readlinkSync(`/proc/${Number(pid)}/cwd`) === place
    } catch {
      return false
    }
  })
}

describe('a command behind the gate', () => {
  test('begins when its group is known, with its own arguments, input and environment', async () => {
    const known: number[] = []
    const groups = { add: (group: number) => void known.push(group), remove: () => {}, killAll: () => {} }
    const argv = [
      'sh',
      '-c',
      'cat; printf " %s %s %s" "$1" "$NAME" "$(ls /proc/self/fd | wc -l)"',
      'sh',
      "it's $x",
    ]
    const child = startGated({ argv, cwd: folder, env: { ...env, NAME: 'n' }, stdin: 'pipe', groups })
    child.stdin.end('input')
    let text = ''
    for await (const chunk of child.stdout) text += String(chunk)
    expect(text).toMatch(/^input it's \$x n \d+$/)
    expect(known).toEqual([child.pid])
  })

  test.each(['no-such-command-anywhere', './no-such-file', '/no/such/file'])(
    'is not started when there is no %s',
    command => {
      expect(() => startGated({ argv: [command], cwd: folder, env, stdin: 'ignore' })).toThrow(/ENOENT/)
    },
  )

  test('is found by a path from the folder it works in', async () => {
    writeFileSync(join(folder, 'own'), '#!/bin/sh\necho own\n', { mode: 0o755 })
    const child = startGated({ argv: ['./own'], cwd: folder, env, stdin: 'ignore' })
    let text = ''
    for await (const chunk of child.stdout) text += String(chunk)
    expect(text).toBe('own\n')
  })

  test.skipIf(!existsSync('/proc/self/cwd'))(
    'never begins when its program is killed before the group is known',
    async () => {
      const input = fileURLToPath(new URL('../../src/shell/gated-process.ts', import.meta.url))
      const file = join(folder, 'gated.mjs')
      await build({ input, platform: 'node', logLevel: 'silent', output: { file, format: 'esm' } })
      const place = join(folder, 'place')
      const program = `
        import { startGated } from ${JSON.stringify(pathToFileURL(file).href)}
        import { mkdirSync } from 'node:fs'
        const cwd = ${JSON.stringify(place)}
        mkdirSync(cwd)
        const groups = { add: () => process.kill(process.pid, 'SIGKILL') }
        startGated({ argv: ['sh', '-c', 'touch began; sleep 300'], cwd, env: process.env, stdin: 'pipe', groups })`
      const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { env })
      expect(signal).toBe('SIGKILL')
      for (let look = 0; look < 500 && workingIn(place).length > 0; look++)
        await new Promise(resolve => setTimeout(resolve, 20))
      expect(workingIn(place)).toEqual([])
      expect(existsSync(join(place, 'began'))).toBe(false)
    },
  )
})
