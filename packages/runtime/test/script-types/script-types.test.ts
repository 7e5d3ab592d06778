import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const OPTIONS =
  '--noEmit --strict --allowJs --checkJs --target es2023 --lib es2023 --module esnext --moduleDetection force'

/** What the compiler reports about a fixture; empty when nothing. */
function typeCheck(fixture: string, ...more: string[]): Promise<string> {
  const file = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url))
  const options = [compiler, ...OPTIONS.split(' '), '--types', '', '--ignoreConfig', ...more, file]
  return new Promise(resolve => execFile(process.execPath, options, (_error, stdout) => resolve(stdout)))
}

describe('the types for script authors', () => {
  test('accept a script that uses every global', async () => {
    expect(await typeCheck('good.js')).toBe('')
  }, 30_000)

  test('refuse what the runtime would refuse', async () => {
    expect(await typeCheck('bad.js')).toBe('')
  }, 30_000)

  test('live beside the types of a browser', async () => {
    expect(await typeCheck('with-dom.js', '--skipLibCheck')).toBe('')
  }, 30_000)
})
