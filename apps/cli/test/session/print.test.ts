import { afterEach, describe, expect, test } from 'vitest'
import { TWO_AGENTS } from '../support/sandbox-project.ts'
import { createSessionProject, framesIn, type SessionProject } from './support/session-project.ts'
import { typedInput } from './support/typed-input.ts'

let project: SessionProject
afterEach(() => project.remove())

const ANSWER = { text: 'Forty-two.', usage: { input: 3, output: 2 } }

describe('one prompt', () => {
  test('is answered on standard output', async () => {
    project = await createSessionProject([ANSWER])
    const { code, out, err } = await project.ask(['-p', 'What is it?', '--model', 'some-model'])
    expect(out).toBe('Forty-two.\n')
    expect(err).toMatch(/permission mode default, nobody is asked/)
    expect(code).toBe(0)
    expect(project.model.requests[0]?.body).toMatchObject({ model: 'some-model' })
    expect(JSON.stringify(project.model.requests[0]?.body)).toContain('What is it?')
  })
})
