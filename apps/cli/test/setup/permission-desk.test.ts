import type { AskPermission, PermissionAsker, PermissionQuestion } from '@tutti/runtime'
import { createVirtualClock } from '@tutti/runtime/testing'
import { describe, expect, test } from 'vitest'
import { createPermissionDesk, type AskedPerson, type PersonAnswer } from '../../src/setup/permission-desk.ts'

const ASKER: PermissionAsker = { runId: 'wf_00000001-abc', index: 1, label: 'fix' }
const bash = (command: string): PermissionQuestion => ({ tool: 'Bash', input: { command } })

interface Desk {
  permission: AskPermission
  clock: ReturnType<typeof createVirtualClock>
  /** What the person was asked, in order. */
  asked: AskedPerson[]
  /** Answers the question that is open. */
  answer(answer: PersonAnswer): Promise<void>
  unanswered: string[]
}

function desk(): Desk {
  const clock = createVirtualClock()
  const asked: AskedPerson[] = []
  const unanswered: string[] = []
  let reply: (answer: PersonAnswer) => void = () => {}
  const permission = createPermissionDesk({
    clock,
    waitMs: 60_000,
    ask(one) {
      asked.push(one)
      return new Promise(resolve => {
        reply = resolve
        one.signal.addEventListener('abort', () => resolve('none'))
      })
    },
    onUnanswered: (_asked, reason) => unanswered.push(reason),
  })
  return {
    permission,
    clock,
    asked,
    unanswered,
    async answer(answer) {
      reply(answer)
      await settled()
    },
  }
}

/** Everything that was due has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('a question', () => {
  test.each([
    ['yes', true, 'person'],
    ['no', false, 'person'],
    ['always', true, 'person'],
    ['none', false, 'nobody'],
  ] as const)('answered with "%s" is allowed: %s, by %s', async (answer, allowed, source) => {
    const { permission, answer: reply } = desk()
    const ruling = permission(bash('make'), ASKER)
    await reply(answer)
    expect(await ruling).toMatchObject({ allowed, source })
  })

  test('is given up after a time, which is denied as such', async () => {
    const { permission, clock, asked, unanswered } = desk()
    const ruling = permission(bash('make'), ASKER)
    await clock.advance(20_000)
    expect(asked[0]?.leftMs()).toBe(40_000)
    await clock.advance(40_000)
    expect(await ruling).toMatchObject({ allowed: false, source: 'time' })
    expect(asked[0]?.signal.aborted).toBe(true)
    expect(unanswered).toEqual(['nobody answered within 60 s'])
  })

  test('is taken back when its agent ends', async () => {
    const { permission, asked, unanswered } = desk()
    const agent = new AbortController()
    const ruling = permission(bash('make'), { ...ASKER, signal: agent.signal })
    agent.abort()
    expect(await ruling).toMatchObject({ allowed: false, source: 'nobody' })
    expect(asked[0]?.signal.aborted).toBe(true)
    expect(unanswered).toEqual([])
  })

  test('of an agent that has ended is not asked', async () => {
    const { permission, asked } = desk()
    const ruling = permission(bash('make'), { ...ASKER, signal: AbortSignal.abort() })
    expect(await ruling).toMatchObject({ allowed: false, source: 'nobody' })
    expect(asked).toEqual([])
  })

  test('that cannot be asked is denied', async () => {
    const permission = createPermissionDesk({
      clock: createVirtualClock(),
      ask: () => Promise.reject(new Error('the terminal is gone')),
      onUnanswered: () => {},
    })
    expect(await permission(bash('make'), ASKER)).toMatchObject({ allowed: false, source: 'nobody' })
  })
})

describe('several questions', () => {
  test('are asked one after the other, in the order they came', async () => {
    const { permission, asked, answer } = desk()
    const rulings = ['a', 'b', 'c'].map(command => permission(bash(command), ASKER))
    await settled()
    expect(asked.map(({ question }) => question.input['command'])).toEqual(['a'])
    expect(asked[0]?.waiting()).toBe(2)
    await answer('yes')
    await answer('no')
    expect(asked[2]?.waiting()).toBe(0)
    await answer('yes')
    expect((await Promise.all(rulings)).map(({ allowed }) => allowed)).toEqual([true, false, true])
  })

  test('that were given up behind another are not asked any more', async () => {
    const { permission, asked, answer, clock } = desk()
    const rulings = ['a', 'b'].map(command => permission(bash(command), ASKER))
    await clock.advance(60_000)
    await answer('none')
    expect((await Promise.all(rulings)).map(({ source }) => source)).toEqual(['time', 'time'])
    expect(asked).toHaveLength(1)
  })

  test('"always" answers those of the same thing that wait or come later, and no others', async () => {
    const { permission, asked, answer } = desk()
    const [first, same, other] = ['a', 'a', 'b'].map(command => permission(bash(command), ASKER))
    await answer('always')
    expect(await first).toMatchObject({ allowed: true })
    expect(await same).toMatchObject({
      allowed: true,
      source: 'person',
      reason: expect.stringContaining('for this run'),
    })
    expect(asked.map(({ question }) => question.input['command'])).toEqual(['a', 'b'])
    await answer('no')
    expect(await other).toMatchObject({ allowed: false })
    expect(await permission(bash('a'), ASKER)).toMatchObject({ allowed: true })
    expect(asked).toHaveLength(2)
  })
})

test.each<[PermissionQuestion, PermissionQuestion, PermissionQuestion, string]>([
  [bash('npm test'), bash('npm test'), bash('npm test -- -u'), 'this command'],
  [edit('a.ts'), edit('a.ts'), edit('b.ts'), 'this file'],
  [
    fetched('https://a.example/1'),
    fetched('https://a.example/2'),
    fetched('https://b.example/1'),
    'a.example',
  ],
  [
    { tool: 'mcp__x__y', input: { q: 1 } },
    { tool: 'mcp__x__y', input: { q: 2 } },
    bash('x'),
    'all of mcp__x__y',
  ],
])('"always" after %j covers %j, not %j', async (...[first, same, other, words]) => {
  const { permission, asked, answer } = desk()
  void permission(first, ASKER)
  await settled()
  expect(asked[0]?.always).toBe(words)
  await answer('always')
  expect(await permission(same, ASKER)).toMatchObject({ allowed: true })
  void permission(other, ASKER)
  await settled()
  expect(asked).toHaveLength(2)
})

function edit(path: string): PermissionQuestion {
  return { tool: 'Edit', input: { file_path: path, old_string: 'a', new_string: 'b' } }
}

function fetched(url: string): PermissionQuestion {
  return { tool: 'WebFetch', input: { url } }
}
