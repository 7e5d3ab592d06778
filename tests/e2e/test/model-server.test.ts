import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startMockModel, type MockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import { describe, expect, it } from 'vitest'
import { tutti, type Finished } from './installed/command.ts'
import { repository } from './installed/packages.ts'
import { ProjectFolder } from './installed/project-folder.ts'

const script = readFileSync(join(repository, 'examples/review-changes.js'), 'utf8')
const finding = {
  title: 'Leaks a handle',
  file: 'a.ts:3',
  severity: 'high',
  explanation: 'It is never closed.',
}

describe.each(['anthropic', 'openai'] as const)('a run against a model server (%s)', wire => {
  it('gives findings that fit the schema, a wrong first submission corrected', async () => {
    const wrongOnce = new Set<string>()
    await using server = await startMockModel({ replies: request => reply(request, wrongOnce) })
    const { exit, stdout, stderr } = await review(server, wire)
    expect(exit, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ confirmed: [finding] })
    expect(wrongOnce.size).toBe(1)
    const corrections = server.requests.filter(({ body }) =>
      JSON.stringify(body).includes('does not match the schema'),
    )
    expect(corrections).toHaveLength(1)
  })

  it('fails the agent, not the run, when a model never gets it right', async () => {
    await using server = await startMockModel({ replies: () => submission({ nonsense: true }) })
    const { exit, stderr } = await review(server, wire)
    expect(exit, stderr).toBe(1)
    expect(server.requests).toHaveLength(5)
  })
})

/** One dimension, so that the order of the requests is known. */
async function review(server: MockModel, wire: 'anthropic' | 'openai'): Promise<Finished> {
  using project = new ProjectFolder({ 'review-changes.js': script })
  const prefix = wire.toUpperCase()
  const env = {
    [`${prefix}_API_KEY`]: 'test',
    [`${prefix}_BASE_URL`]: server.url,
    [`${prefix}_MODEL`]: 'mock',
  }
  return await tutti(['run', 'review-changes.js', 'dimensions=["security"]', '--json'], { project, env })
}

/** An auditor submits something wrong, is told so, then gives a finding; a sceptic confirms it. */
function reply({ body }: MockRequest, wrongOnce: Set<string>): MockReply {
  if (JSON.stringify(body).includes('"verdict"')) return submission({ verdict: 'confirmed', reason: 'Seen.' })
  if (wrongOnce.size > 0) return submission({ findings: [finding] })
  wrongOnce.add('audit')
  return submission({ findings: [{ ...finding, severity: 'dreadful' }] })
}

function submission(input: object): MockReply {
  return { toolCalls: [{ name: 'StructuredOutput', input }], usage: { input: 10, output: 5 } }
}
