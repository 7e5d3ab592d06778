import { describe, expect, test } from 'vitest'
import { createFrameWriter } from '../../src/frame-writer.ts'
import { says, uses, works } from '../support/scripted-chat.ts'
import { stageOpener } from '../support/open-stage.ts'
import { script } from '../workflow/support/desk-stage.ts'

const open = stageOpener()
const slow = uses('Workflow', { script: script("return await agent('x', { label: 'slow' })") })
const bypass = { permissionMode: 'bypassPermissions' }
const hanging = { table: { slow: { hang: true as const } } }

describe('signals', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('%s stops turn and workflows, writes their last frames and ends', async (signal, exitCode) => {
    const stage = open({ config: bypass, desk: hanging, turns: [slow, works] })
    stage.user('Go')
    await stage.result()
    stage.user('More')
    await stage.frame(({ subtype }) => subtype === 'init', stage.frames.length)
    await stage.session.stop(signal)
    expect(await stage.session.done).toMatchObject({
      reason: 'signal',
      signal,
      exitCode,
      workflows: [{ status: 'killed' }],
    })
    expect(stage.order()).toContain('system/task_notification/stopped')
    expect(stage.results()).toHaveLength(2)
    stage.check()
  })

  test('a session that does nothing ends at once', async () => {
    const stage = open()
    await stage.session.stop('SIGTERM')
    expect(await stage.session.done).toMatchObject({ exitCode: 143 })
  })

  test('the first signal counts', async () => {
    const stage = open()
    await Promise.all([stage.session.stop('SIGINT'), stage.session.stop('SIGTERM')])
    expect(await stage.session.done).toMatchObject({ exitCode: 130 })
  })

  test('a model that does not end is left behind after its time', async () => {
    const stage = open({ turns: [() => new Promise(() => {})] })
    stage.user('Go')
    await stage.frame(({ subtype }) => subtype === 'init')
    const stopped = stage.session.stop('SIGTERM')
    await stage.desk.clock.advance(4999)
    await stopped
    expect(stage.results()).toMatchObject([{ subtype: 'error_during_execution' }])
  })

  test('a turn that cannot even begin is left behind after its time', async () => {
    const stage = open({ options: { openChat: () => new Promise(() => {}) } })
    stage.user('Go')
    await stage.desk.clock.advance(0)
    const stopped = stage.session.stop('SIGTERM')
    await stage.desk.clock.advance(4999)
    await stopped
    expect(stage.results()).toMatchObject([{ subtype: 'error_during_execution' }])
  })

  test('a reader that reads nothing any more does not hold up the end', async () => {
    const target = { write: () => false, once: () => {}, on: () => {}, writableLength: 20_000_000 }
    const writer = createFrameWriter(target)
    const stage = open({ output: writer, turns: [says('One.'), says('Two.')] })
    stage.user('Go')
    stage.user('Go')
    while (writer.waiting < 2) await stage.desk.clock.advance(0)
    const stopped = stage.session.stop('SIGTERM')
    await stage.desk.clock.advance(4999)
    await stopped
    expect(await stage.session.done).toMatchObject({ exitCode: 143 })
  })

  test('a result that waits is written', async () => {
    const stage = open({ config: bypass, desk: hanging, turns: [slow] })
    await stage.ask({ subtype: 'initialize', hasPrompt: true })
    stage.user('Go')
    await stage.frame(
      ({ type, message }) => type === 'assistant' && JSON.stringify(message).includes('Done.'),
    )
    await stage.desk.clock.advance(0)
    await stage.session.stop('SIGTERM')
    expect(stage.results()).toMatchObject([{ result: 'Done.' }])
    stage.check({ heldResults: true })
  })
})

describe('a reader that is gone', () => {
  test('is noticed while work goes on in silence, and only then is something said', async () => {
    const stage = open({ turns: [works] })
    const said = (): number => stage.frames.filter(({ type }) => type === 'keep_alive').length
    await stage.desk.clock.advance(20_000)
    expect(said()).toBe(0)
    stage.user('Go')
    await stage.frame(({ subtype }) => subtype === 'init')
    await stage.desk.clock.advance(20_000)
    expect(said()).toBeGreaterThanOrEqual(3)
    stage.check({ cut: true })
  })

  test('ends turn, workflows and session', async () => {
    const stage = open({ config: bypass, desk: hanging, turns: [slow, works] })
    stage.user('Go')
    await stage.result()
    stage.user('More')
    await stage.frame(({ subtype }) => subtype === 'init', stage.frames.length)
    stage.closeOutput()
    expect(await stage.session.done).toMatchObject({
      reason: 'output-closed',
      exitCode: 0,
      workflows: [{ status: 'killed' }],
    })
  })
})

describe('the end of input', () => {
  test('without a message is an end without a result', async () => {
    const stage = open()
    stage.endInput()
    const end = await stage.session.done
    expect(end).toEqual({ reason: 'ended', exitCode: 0, workflows: [] })
    expect(stage.frames).toEqual([])
  })

  test('lets the messages that wait have their turns', async () => {
    const stage = open({ turns: [says('One.'), says('Two.')] })
    stage.user('1')
    stage.user('2')
    stage.endInput()
    await stage.session.done
    expect(stage.results()).toMatchObject([{ result: 'One.' }, { result: 'Two.' }])
    stage.check()
  })

  test('a last line without a newline counts', async () => {
    const stage = open({ turns: [says('One.')] })
    stage.send(Buffer.from('{"type":"user","message":{"role":"user","content":"Hi"}}'))
    stage.endInput()
    await stage.session.done
    expect(stage.results()).toHaveLength(1)
  })

  test('an input that breaks is an input that ends', async () => {
    const stage = open()
    stage.user('Hi')
    stage.breakInput()
    expect(await stage.session.done).toMatchObject({ reason: 'ended' })
    expect(stage.results()).toHaveLength(1)
  })
})

describe('prompts of the command line', () => {
  test('are turns, one after the other, and say first what limits apply', async () => {
    const stage = open({
      deaf: true,
      prompts: ['1', '2'],
      config: { print: true, maxTurns: 3, maxWaitMs: 5000 },
      turns: [says('One.'), says('Two.')],
    })
    await stage.session.done
    expect(stage.results()).toMatchObject([{ result: 'One.' }, { result: 'Two.' }])
    expect(stage.notes).toEqual([expect.stringMatching(/mode default, nobody is asked.* 5 s .*3 answers/)])
  })
})

describe('failures', () => {
  test('a chat that cannot be opened is an error in each result, and the session lives on', async () => {
    const stage = open({
      options: { openChat: () => Promise.reject(new Error('no rule like sk-ant-0123456789')) },
    })
    stage.user('Hi')
    expect(await stage.result()).toMatchObject({ is_error: true, errors: ['no rule like [redacted]'] })
    stage.user('Hi')
    await stage.result(2)
    stage.endInput()
    expect(await stage.session.done).toMatchObject({ reason: 'ended', exitCode: 0 })
    stage.check()
  })

  test('a turn that fails says why', async () => {
    const stage = open({
      turns: [
        async () => ({ outcome: 'error_max_turns', errors: ['3 answers are the most'], answers: 3 }),
        () => Promise.reject(new Error('broken')),
      ],
    })
    stage.user('Hi')
    expect(await stage.result()).toMatchObject({
      subtype: 'error_max_turns',
      is_error: true,
      errors: ['3 answers are the most'],
      num_turns: 3,
    })
    stage.user('Hi')
    expect(await stage.result(2)).toMatchObject({ subtype: 'error_during_execution', errors: ['broken'] })
    stage.check({ cut: true })
  })
})
