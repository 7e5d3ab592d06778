import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../src/main.ts'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from './support/sandbox-project.ts'
import { memoryStream } from './support/test-io.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

describe('help and usage', () => {
  test('--version prints the version of the package', async () => {
    const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    expect(await project.tutti('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
  })

  test('--help explains on standard output', async () => {
    const { code, out, err } = await project.tutti('run', '--help')
    expect(code).toBe(0)
    expect(out).toContain('Usage: tutti run')
    expect(out).toContain('Examples:')
    expect(err).toBe('')
  })

  test('without a command explains on standard error and is bad usage', async () => {
    const { code, out, err } = await project.tutti()
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain('Usage: tutti')
  })

  test('a wrong command line is told with a hint and a code', async () => {
    const { code, out, err } = await project.tutti('run', 'pair.js', '--concurency', '3')
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toBe(
      "error unknown option '--concurency'\n(Did you mean --concurrency?)\nhint  See: tutti run --help\ncode  usage\n",
    )
  })

  test('an unknown command is told, with a suggestion only when it is near', async () => {
    expect((await project.tutti('frob')).err).toBe(
      "error unknown command 'frob'\nhint  See: tutti --help\ncode  usage\n",
    )
    expect((await project.tutti('shwo')).err).toContain('hint  Did you mean "show"? See: tutti --help\n')
  })

  test.each(['--dry-run', '--plan'])('fork %s is refused with what to do instead', async flag => {
    const { code, err } = await project.tutti('fork', 'wf_00000001-abc', flag)
    expect(code).toBe(2)
    expect(err).toBe(
      `error unknown option '${flag}'\nhint  tutti resume <runId> --dry-run with the same flags tells what a fork without --at would run again.\ncode  usage\n`,
    )
  })

  test('with --json errors are one JSON object', async () => {
    const { code, err } = await project.tutti('run', '--json', '--nope')
    expect(code).toBe(2)
    expect(JSON.parse(err)).toEqual({
      error: { code: 'usage', message: "unknown option '--nope'", hint: 'See: tutti run --help' },
    })
  })

  test('a stack trace is only shown with TUTTI_DEBUG=1', async () => {
    const debug = project.io({ env: { TUTTI_DEBUG: '1' } })
    await main(['run', 'missing.js'], debug)
    expect(debug.stderr.text()).toContain('    at ')
    const { err } = await project.tutti('run', 'missing.js')
    expect(err).not.toContain('    at ')
  })
})

describe('standard output', () => {
  test('a reader that has gone is no error', async () => {
    const io = project.io()
    io.stdout.breakWith('EPIPE')
    expect(await main(['run', 'pair.js', '--json'], io)).toBe(0)
    expect(io.stderr.text()).not.toContain('error')
  })

  test('a full disk is one', async () => {
    const io = project.io()
    io.stdout.breakWith('ENOSPC')
    expect(await main(['run', 'pair.js', '--json'], io)).toBe(1)
    expect(io.stderr.text()).toContain('cannot write to standard output')
  })
})

describe('a terminal', () => {
  test('shows the progress in place and gives the cursor back', async () => {
    const stderr = memoryStream({ isTTY: true, columns: 80, rows: 24 })
    const io = project.io({ stderr, env: { NO_COLOR: '1' } })
    expect(await main(['run', 'pair.js'], io)).toBe(0)
    expect(stderr.text()).toContain('\u001b[?25l')
    expect(stderr.text().split('\u001b[?25h')).toHaveLength(2)
    expect(stderr.text()).not.toMatch(/\[\d+m/)
    expect(stderr.text()).toContain('● Only  2 done')
  })

  test('a dumb one gets plain lines', async () => {
    const stderr = memoryStream({ isTTY: true, columns: 80, rows: 24 })
    const io = project.io({ stderr, env: { TERM: 'dumb' } })
    await main(['run', 'pair.js'], io)
    expect(stderr.text()).not.toContain('\u001b')
    expect(stderr.text()).toContain('done    Only › a')
  })
})

describe('switches', () => {
  test.each(['CODEBUDDY_DISABLE_WORKFLOWS', 'CLAUDE_CODE_DISABLE_WORKFLOWS', 'TUTTI_DISABLE_WORKFLOWS'])(
    '%s=1 refuses run and resume by name',
    async name => {
      for (const argv of [['run', 'pair.js'], ['resume']]) {
        const io = project.io({ env: { [name]: '1' } })
        expect(await main(argv, io)).toBe(2)
        expect(io.stderr.text()).toContain(name)
        expect(io.stderr.text()).toContain('code  workflows-disabled')
      }
      expect(await project.files()).toEqual([])
    },
  )

  test('so does a setting, named by its file', async () => {
    await project.write('.claude/settings.json', '{"disableWorkflows":true}')
    const { code, err } = await project.tutti('run', 'pair.js')
    expect(code).toBe(2)
    expect(err).toContain(join(project.cwd, '.claude/settings.json'))
  })

  test('checking still works', async () => {
    const io = project.io({ env: { TUTTI_DISABLE_WORKFLOWS: '1' } })
    expect(await main(['check', 'pair.js'], io)).toBe(0)
  })
})
