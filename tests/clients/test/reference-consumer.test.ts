import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { until } from '@tutti-internal/e2e/installed/until'
import { checkFrames, problemText } from '@tutti-internal/frame-check'
import { describe, expect, inject, it } from 'vitest'
import { startConsumer, type Consumer, type Task } from './reference/consumer.ts'
import { hangs, says, type Line } from './support/model-script.ts'
import { RESEARCH } from './support/scripts.ts'
import { createSurroundings, type Surroundings } from './support/surroundings.ts'

const NEWS: Line = [/<task-notification>/, says('The workflow has ended.')]
const workflows = { 'deep-research': RESEARCH }

describe('the reference consumer', () => {
  it('launches a saved workflow, interrupts it, and sees every task notified', async () => {
    await using here = await createSurroundings({ model: [[/Look into/, hangs()], NEWS], workflows })
    const changes: string[] = []
    const consumer = startConsumer({
      ...asCbc(here),
      onTask: ({ status, rows }) => void changes.push(`${status} ${agentsOf(rows).join(' ')}`.trim()),
    })
    expect(await consumer.ask({ subtype: 'initialize' })).toMatchObject({
      subtype: 'success',
      response: { commands: expect.arrayContaining([expect.objectContaining({ name: 'deep-research' })]) },
    })
    consumer.prompt('/deep-research topic=foo')
    await consumer.until(() => agents(consumer).filter(state => state === 'start').length === 2)
    await until('both at work', () => here.model.requests.length === 2)
    const [task] = consumer.tasks.values()
    expect(task).toMatchObject({ type: 'local_workflow', name: 'deep-research', status: 'running' })

    expect(await consumer.ask({ subtype: 'interrupt' })).toMatchObject({ subtype: 'success' })
    await consumer.until(() => everyTaskEnded(consumer))
    await consumer.until(() => agents(consumer).every(state => state === 'error'))
    expect(task).toMatchObject({ status: 'stopped', summary: expect.stringContaining('deep-research') })
    expect(changes[0]).toBe('running')
    expect(changes.at(-1)).toBe('stopped error error')
    expect(await consumer.end()).toBe(0)
    expect(problemText(checkFrames([...consumer.lines]))).toBe('')
    for (const { body, ended } of here.model.requests) {
      expect(JSON.stringify(body)).toContain('of foo')
      expect(await ended).toBe('closed by client')
    }
  })

  it('follows the workflow to its end and to the turn that tells of it', async () => {
    await using here = await createSurroundings({
      model: [NEWS, [/Look into/, says('Found something.')]],
      workflows,
    })
    const consumer = startConsumer(asCbc(here))
    await consumer.ask({ subtype: 'initialize' })
    consumer.prompt('/deep-research topic=foo')
    await consumer.until(() => everyTaskEnded(consumer))
    expect(agents(consumer)).toEqual(['done', 'done'])
    await consumer.until(() => consumer.lines.filter(line => line.includes('"type":"result"')).length === 2)
    expect(await consumer.end()).toBe(0)
    expect(problemText(checkFrames([...consumer.lines]))).toBe('')
  })
})

/** Our command under the name that such programs start. */
function asCbc({ project, env }: Surroundings): {
  command: string
  cwd: string
  env: Record<string, string>
} {
  const folder = join(project.base, 'bin')
  mkdirSync(folder)
  symlinkSync(inject('installation').program, join(folder, 'cbc'))
  return {
    command: 'cbc',
    cwd: project.path,
    env: { ...env, PATH: `${folder}${delimiter}${env['PATH']}` },
  }
}

function everyTaskEnded({ tasks }: Consumer): boolean {
  return tasks.size > 0 && [...tasks.values()].every(({ status }) => status !== 'running')
}

function agents({ tasks }: Consumer): unknown[] {
  return [...tasks.values()].flatMap(({ rows }) => agentsOf(rows))
}

function agentsOf(rows: Task['rows']): unknown[] {
  return rows.filter(({ type }) => type === 'workflow_agent').map(({ state }) => state)
}
