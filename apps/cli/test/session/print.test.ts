import { afterEach, describe, expect, test, vi } from 'vitest'
import { TWO_AGENTS } from '../support/sandbox-project.ts'
import { createSessionProject, framesIn, type SessionProject } from './support/session-project.ts'
import { typedInput } from './support/typed-input.ts'

// The first test of a file loads everything.
vi.setConfig({ testTimeout: 30_000 })

let project: SessionProject
afterEach(() => project.remove())

const ANSWER = { text: 'Forty-two.', usage: { input: 3, output: 2 } }
const REFUSAL = { error: { status: 400, type: 'invalid_request_error', message: 'no such thing' } }
const NO_MODEL = { ANTHROPIC_API_KEY: undefined }

function asked(text: string): ReturnType<typeof typedInput> {
  const stdin = typedInput()
  stdin.raw(text)
  stdin.end()
  return stdin
}

const sent = (): string => JSON.stringify(project.model.requests.map(({ body }) => body['messages']))

describe('one prompt', () => {
  test('is answered on standard output', async () => {
    project = await createSessionProject([ANSWER])
    const { code, out, err } = await project.ask(['-p', 'What is it?', '--model', 'some-model'])
    expect({ code, out }).toEqual({ code: 0, out: 'Forty-two.\n' })
    expect(err).toMatch(/permission mode default, nobody is asked/)
    expect(project.model.requests[0]?.body).toMatchObject({ model: 'some-model' })
    expect(sent()).toContain('What is it?')
  })

  test('may come from standard input, or be followed by it', async () => {
    project = await createSessionProject([ANSWER, ANSWER])
    expect((await project.ask(['-p'], { stdin: asked('the whole prompt') })).code).toBe(0)
    expect((await project.ask(['--print', 'explain'], { stdin: asked('a diff') })).code).toBe(0)
    expect(sent()).toMatch(/the whole prompt.*explain\\n\\na diff/)
  })

  test('is answered as one result object', async () => {
    project = await createSessionProject([ANSWER])
    const { code, out } = await project.ask(['-p', 'x', '--output-format', 'json'])
    expect(code).toBe(0)
    expect(out.split('\n')).toHaveLength(2)
    expect(JSON.parse(out)).toMatchObject({
      type: 'result',
      subtype: 'success',
      result: 'Forty-two.',
      num_turns: 1,
    })
  })

  test('is answered as frames', async () => {
    project = await createSessionProject([ANSWER])
    const { code, out } = await project.ask(['-p', 'x', '--output-format=stream-json', '--verbose'])
    expect(code).toBe(0)
    expect(framesIn(out).map(({ type, subtype }) => subtype ?? type)).toEqual([
      'init',
      'assistant',
      'success',
    ])
  })

  test('is refused where no model is configured, with what to do', async () => {
    project = await createSessionProject([])
    const { code, out, err } = await project.ask(['-p', 'x'], { env: NO_MODEL })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('error no model is configured that could answer')
    expect(err).toContain('ANTHROPIC_API_KEY')
    expect(err).toContain('code  backend-not-ready')
    expect(await project.files()).toEqual([])
  })

  test('that the endpoint refuses is an error, in the way of each format', async () => {
    project = await createSessionProject(() => REFUSAL)
    const text = await project.ask(['-p', 'x'])
    expect(text).toMatchObject({ code: 1, out: '' })
    expect(text.err).toContain('no such thing')
    expect(text.err).toContain('code  session-failed')
    const json = await project.ask(['-p', 'x', '--output-format', 'json'])
    expect(json.code).toBe(1)
    expect(JSON.parse(json.out)).toMatchObject({ is_error: true })
    const frames = await project.ask(['-p', 'x', '--output-format', 'stream-json'])
    expect(frames.code).toBe(0)
    expect(framesIn(frames.out).at(-1)).toMatchObject({ type: 'result', is_error: true })
  })

  test('keeps the key out of everything that is written', async () => {
    project = await createSessionProject(() => ({ text: `the key is ${project.env['ANTHROPIC_API_KEY']}` }))
    const { out, err } = await project.ask(['-p', 'x', '--output-format', 'stream-json', '--verbose'])
    const tree = JSON.stringify(await project.tree())
    for (const text of [out, err, tree]) expect(text).not.toContain('test-key-0123456789')
  })
})

describe('what the model may do', () => {
  const write = { toolCalls: [{ name: 'Bash', input: { command: 'touch made', description: 'makes it' } }] }

  test('is denied where no rule allows it, and that is told', async () => {
    project = await createSessionProject([write, ANSWER])
    const { code, err } = await project.ask(['-p', 'x'])
    expect(code).toBe(0)
    expect(err).toContain('1 use of a tool was denied: Bash')
    expect(await project.tree()).not.toHaveProperty([`${project.cwd}/made`])
  })

  test('is allowed by rules and modes', async () => {
    for (const argv of [['--allowedTools', 'Bash(touch made)'], ['--dangerously-skip-permissions']]) {
      project = await createSessionProject([write, ANSWER])
      await project.ask(['-p', 'x', ...argv])
      expect(await project.tree()).toHaveProperty([`${project.cwd}/made`])
      await project.remove()
    }
    project = await createSessionProject([])
  })
})

describe('a saved workflow by its name', () => {
  const files = { '.claude/workflows/pair.js': TWO_AGENTS }

  test('runs without a model, and its value is the answer', async () => {
    project = await createSessionProject([], files)
    const scripted = await project.scripted({ a: { ok: 'from a' }, b: { ok: 'from b' } })
    const { code, out, err } = await project.ask(['-p', '/pair', scripted], { env: NO_MODEL })
    expect(err).not.toContain('error')
    expect(JSON.parse(out)).toEqual(['from a', 'from b'])
    expect(code).toBe(0)
  })

  test('gives its agents the model of the session', async () => {
    project = await createSessionProject(() => ({ text: 'said' }), files)
    const { code } = await project.ask(['-p', '/pair', '--model', 'some-model'])
    expect(code).toBe(0)
    expect(project.model.requests.map(({ body }) => body['model'])).toEqual(Array(3).fill('some-model'))
  })

  test.each(['/nope', '/pair2 x'])('that is not there is refused without a model: %s', async prompt => {
    project = await createSessionProject([], files)
    const { code, err } = await project.ask(['-p', prompt], { env: NO_MODEL })
    expect(code).toBe(2)
    expect(err).toMatch(/there is no saved workflow "(nope|pair2)", and no model is configured/)
    expect((await project.ask(['-p', '/help'], { env: NO_MODEL })).out).toContain('/pair')
  })

  test('is stopped when the wait for it is over', async () => {
    project = await createSessionProject([], files)
    const scripted = await project.scripted({ '*': { hang: true } })
    const argv = ['-p', '/pair', scripted, '--max-wait', '100ms']
    const { code, out, err } = await project.ask(argv, { env: NO_MODEL })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('Workflow "pair" was stopped')
  })

  test('exits as a run does when it failed', async () => {
    project = await createSessionProject([], {
      '.claude/workflows/broken.js': `export const meta = { name: 'broken', description: 'Fails' }\nthrow new Error('no')\n`,
    })
    const { code, out, err } = await project.ask(['-p', '/broken', '--backend', 'simulate'], {
      env: NO_MODEL,
    })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('error Workflow "broken" failed: ')
  })
})

describe('a workflow that the model starts', () => {
  test('is waited for, and its end is told to the model before the answer', async () => {
    project = await createSessionProject(
      [
        { toolCalls: [{ name: 'Workflow', input: { name: 'pair' } }] },
        { text: 'Started.' },
        { text: 'Both have answered.' },
      ],
      { '.claude/workflows/pair.js': TWO_AGENTS },
    )
    const { code, out, err } = await project.ask(['-p', 'run pair', '--backend', 'simulate'])
    expect({ code, out }).toEqual({ code: 0, out: 'Both have answered.\n' })
    expect(err).toMatch(/workflow pair started, task w.*\nWorkflow "pair" completed: 2 agents: 2 ok/)
    expect(sent()).toContain('<task-notification>')
  })
})

describe('the command line', () => {
  test('with an unknown flag works, and says so', async () => {
    project = await createSessionProject([ANSWER])
    const { code, out, err } = await project.ask(['-p', 'x', '--brand-new', 'thing'])
    expect({ code, out }).toEqual({ code: 0, out: 'Forty-two.\n' })
    expect(err).toContain('warning the flag --brand-new is not known and is ignored\n')
  })

  test.each([
    [['-p', 'x', '--permission-mode', 'yolo'], '--permission-mode must be one of'],
    [['-p', 'x', '--max-turns'], '--max-turns needs a value'],
    [['--input-format', 'stream-json'], 'needs --output-format stream-json'],
    [['--model', 'm', 'x'], 'a prompt on the command line needs -p'],
    [['--model', 'm'], 'there is no prompt'],
    [['-p', 'x', '--settings', '{"model":7}'], '--settings'],
    [['-p', 'x', '--session-id', 'nope'], '--session-id must be a UUID'],
  ])('%j is refused before anything is asked', async (argv, message) => {
    project = await createSessionProject([])
    const { code, out, err } = await project.ask(argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(project.model.requests).toEqual([])
  })

  test('explains itself and tells its version', async () => {
    project = await createSessionProject([])
    const { code, out } = await project.ask(['-p', '--help'])
    expect(code).toBe(0)
    expect(out).toContain('tutti -p [flags] <prompt>')
    expect((await project.ask(['-p', '--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('reads no settings of the user with --setting-sources none', async () => {
    project = await createSessionProject([ANSWER, ANSWER], {
      '.claude/settings.json': '{"model":"of-project"}',
    })
    await project.ask(['-p', 'x'])
    await project.ask(['-p', 'x', '--setting-sources', 'none'])
    expect(project.model.requests.map(({ body }) => body['model'])).toEqual([
      'of-project',
      'claude-sonnet-5-5',
    ])
  })
})
