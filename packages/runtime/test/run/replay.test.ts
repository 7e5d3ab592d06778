import { describe, expect, it } from 'vitest'
import { createStage, script, tally } from '../support/stage.ts'

describe('a replay', () => {
  it('of a finished run dispatches nothing and returns the same bytes', async () => {
    const stage = createStage()
    const body = `return await parallel([1, 2, 3].map(i => () => agent('p' + i, { label: 'l' + i })))`
    const first = await stage.run(body, { '*': { echo: true } })
    const second = await stage.again({})
    expect(JSON.stringify(second.value)).toBe(JSON.stringify(first.value))
    expect(tally(second)).toEqual({
      status: 'completed',
      value: ['p1', 'p2', 'p3'],
      cached: 3,
      dispatched: 0,
    })
    expect(second.tokens).toBe(0)
  })

  it('sees what races saw: the old order, whatever was issued first', async () => {
    const stage = createStage()
    const body = `
      const seen = []
      const run = async (name, ms) => { seen.push(await agent(name, { label: name })) }
      await Promise.all(['a', 'b', 'c'].map(run))
      const winner = await Promise.race([agent('slow', { label: 'slow' }), agent('quick', { label: 'quick' })])
      return { seen, winner }`
    const table = {
      a: { ok: 'A', afterMs: 40 },
      b: { ok: 'B', afterMs: 20 },
      c: { ok: 'C' },
      slow: { ok: 'slow', afterMs: 30 },
      quick: { ok: 'quick' },
    }
    const first = await stage.run(body, table)
    expect(first.value).toEqual({ seen: ['C', 'B', 'A'], winner: 'quick' })
    expect(tally(await stage.again({}))).toMatchObject({ value: first.value, dispatched: 0 })
  })

  it('replays timers at once and in their recorded place', async () => {
    const stage = createStage()
    const body = `
      const seen = []
      const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
      await Promise.all([
        sleep(30).then(() => seen.push('timer')),
        agent('early', { label: 'early' }).then(v => seen.push(v)),
        agent('late', { label: 'late' }).then(v => seen.push(v)),
      ])
      return seen`
    const first = await stage.run(body, { early: { ok: 'early' }, late: { ok: 'late', afterMs: 60 } })
    expect(first.value).toEqual(['early', 'timer', 'late'])
    const second = await stage.again({})
    expect(tally(second)).toMatchObject({ value: ['early', 'timer', 'late'], dispatched: 0 })
  })

  it('runs only failed calls again, and gives the old order to everything else', async () => {
    const stage = createStage()
    const body = `return await parallel([0, 1, 2].map(i => () => agent('n' + i, { label: 'n' + i })))`
    await stage.run(body, { n0: { ok: 0 }, n1: { die: 'refused' }, n2: { ok: 2 } })
    const second = await stage.again({ n1: { ok: 1 } })
    expect(tally(second)).toEqual({ status: 'completed', value: [0, 1, 2], cached: 2, dispatched: 1 })
    expect(tally(await stage.again({}))).toMatchObject({ value: [0, 1, 2], dispatched: 0 })
  })

  it('lets identical calls keep their results over three attempts', async () => {
    const stage = createStage()
    const body = `return await parallel([1, 2].map(() => () => agent('roll', { label: 'r' })))`
    await stage.run(body, { r: [{ die: 'refused' }, { ok: 'second' }] })
    const second = await stage.again({ r: { ok: 'again' } })
    expect(second.value).toEqual(['second', 'again'])
    expect(tally(await stage.again({}))).toMatchObject({ value: ['second', 'again'], dispatched: 0 })
  })

  it('keeps the calls of children, and finds children that start with other children', async () => {
    const child = script(`return await agent('in ' + args, { label: 'c' })`).replace("'case'", "'child'")
    const stage = createStage({ children: { child } })
    const body = `return [await workflow('child', 'x'), await workflow({ name: 'child' }, 'y')]`
    const first = await stage.run(body, { c: { echo: true } })
    expect(first.value).toEqual(['in x', 'in y'])
    expect(tally(await stage.again({}))).toMatchObject({ value: ['in x', 'in y'], cached: 2, dispatched: 0 })
  })

  it('sends a call again whose cache says never, and none of its kind otherwise', async () => {
    const stage = createStage()
    const body = `return [await agent('a', { label: 'a', cache: 'never' }), await agent('b', { label: 'b' })]`
    const effects = 'none' as const
    await stage.run(body, { '*': { ok: 1, effects } })
    const second = await stage.again({ a: { ok: 2, effects } })
    expect(tally(second)).toEqual({ status: 'completed', value: [2, 1], cached: 1, dispatched: 1 })
  })

  it('takes content over effects when the whole run says so', async () => {
    const stage = createStage()
    const body = `await agent('fix', { label: 'fix' })\nreturn await agent('test', { label: 'test' })`
    await stage.run(body, { fix: { die: 'refused' }, test: { ok: 'red' } })
    const second = await stage.again({ fix: { ok: 1 } }, { cache: 'content' })
    expect(tally(second)).toMatchObject({ value: 'red', cached: 1, dispatched: 1 })
  })

  it('gives budget.spent() the recorded tokens, so loops on it replay', async () => {
    const stage = createStage()
    const body = `let n = 0\nwhile (budget.spent() < 100) { await agent('w' + n, { label: 'w' + n }); n++ }\nreturn n`
    const first = await stage.run(body, { '*': { ok: 1, outputTokens: 30 } })
    expect(first.value).toBe(4)
    const second = await stage.again({})
    expect(tally(second)).toMatchObject({ value: 4, cached: 4, dispatched: 0 })
    expect(second.record.priorUsage.output).toBe(120)
  })

  it('reads large results from beside the journal, and runs an agent again whose result is gone', async () => {
    const stage = createStage()
    const large = 'x'.repeat(300_000)
    await stage.run(`return (await agent('a', { label: 'a' })).length`, { a: { ok: large } })
    const line = stage.journal().find(entry => entry.type === 'result')
    expect(line).toMatchObject({ resultHash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(tally(await stage.again({}))).toMatchObject({ value: 300_000, dispatched: 0 })
  })

  it('takes the edited script and keeps what did not change', async () => {
    const stage = createStage()
    const effects = 'none' as const
    await stage.run(`return [await agent('a', { label: 'a' }), await agent('b', { label: 'b' })]`, {
      '*': { echo: true, effects },
    })
    const second = await stage.again(
      { B: { ok: 'new', effects } },
      { body: `return [await agent('a', { label: 'renamed' }), await agent('B', { label: 'B' })]` },
    )
    expect(tally(second)).toMatchObject({ value: ['a', 'new'], cached: 1, dispatched: 1 })
  })

  it('runs with other args when they are given, with the recorded ones otherwise', async () => {
    const stage = createStage()
    await stage.run(
      `return await agent('q' + args.q, { label: 'q' })`,
      { q: { echo: true } },
      { args: { q: 1 } },
    )
    expect(tally(await stage.again({}))).toMatchObject({ value: 'q1', dispatched: 0 })
    expect(tally(await stage.again({ q: { echo: true } }, { args: { q: 2 } }))).toMatchObject({
      value: 'q2',
      dispatched: 1,
    })
  })

  it('keeps run.startedAt and run.id of the first attempt', async () => {
    const stage = createStage()
    const first = await stage.run(`await agent('a', { label: 'a' })\nreturn run`, { a: { ok: 1 } })
    expect(first.value).toEqual({ id: first.runId, startedAt: first.record.startedAt })
    const second = await stage.again({})
    expect(second.value).toEqual(first.value)
    expect(second.taskId).not.toBe(first.taskId)
    expect(second.record).toMatchObject({ attempt: 2, attempts: [{ attempt: 1, status: 'completed' }] })
  })
})

describe('records handed in by turns', () => {
  it('let calls that the script makes meanwhile enter in their recorded place', async () => {
    const stage = createStage()
    const body = `
      const seen = []
      const chain = async name => {
        for (let i = 0; i < 3; i++) { await agent(name + i, { label: name + i }); seen.push(name + i) }
      }
      await Promise.all('abcdefghij'.split('').map(chain))
      await parallel(Array.from({ length: 200 }, (_, i) => () => agent('w' + i, { label: 'w' + i }).then(() => seen.push(i))))
      return seen`
    const table: Record<string, { ok: number; afterMs: number }> = {}
    for (const [i, name] of 'abcdefghij'.split('').entries()) {
      for (let k = 0; k < 3; k++) table[`${name}${k}`] = { ok: 1, afterMs: (i * 7 + k * 5) % 11 }
    }
    const first = await stage.run(body, { ...table, '*': { ok: 1 } })
    const second = await stage.again({})
    expect(second.value).toEqual(first.value)
    expect(second).toMatchObject({ dispatched: 0, record: { census: { cached: 230 } } })
    const orders = [1, 2].map(attempt =>
      stage
        .journal()
        .flatMap(line => (line.type === 'delivered' && line.attempt === attempt ? [line.key] : [])),
    )
    expect(orders[1]).toEqual(orders[0])
  })
})
