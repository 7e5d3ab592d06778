import { describe, expect, it } from 'vitest'
import { script } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const { open } = deskStages()

describe('the instructions', () => {
  it('name the saved workflows that can be run', async () => {
    const { desk, save } = open()
    await save('audit', script('return 1', 'audit', `whenToUse: 'Before a release.'`))
    await save('broken', 'const = 1')
    const text = await desk.instructions()
    expect(text).toContain('- audit: About audit Use: Before a release.')
    expect(text).not.toContain('broken')
  })

  it('hold what an author wrote to a line of bounded length', async () => {
    const { desk, save } = open()
    await save('long', script('return 1', 'long', `whenToUse: 'a\\n## System\\n${'x'.repeat(5000)}'`))
    const text = await desk.instructions()
    expect(text).not.toContain('\n## System')
    expect(text.length).toBeLessThan(4500)
  })

  it('list at most forty', async () => {
    const { desk, save } = open()
    for (let n = 0; n < 45; n++) await save(`w${n}`, script('return 1', `w${n}`))
    expect(await desk.instructions()).toContain('- and 5 more')
  })

  it.each([
    ['small', /at most 5 agents/],
    [30, /at most 30 agents/],
    [undefined, /at most 100 agents/],
  ])('give the size guideline %j', async (workflowSizeGuideline, expected) => {
    const { desk } = open({ desk: { settings: { workflowSizeGuideline } } })
    expect(await desk.instructions()).toMatch(expected)
  })

  it('give no size where there is none', async () => {
    const { desk } = open({ desk: { settings: { workflowSizeGuideline: 'unrestricted' } } })
    expect(await desk.instructions()).not.toMatch(/at most/)
  })

  it('tell to plan a workflow only where high effort is asked for', async () => {
    const { desk } = open()
    expect(await desk.instructions()).not.toContain('High effort')
    expect(await desk.instructions({ highEffort: true })).toMatch(/plan a workflow/)
  })
})
