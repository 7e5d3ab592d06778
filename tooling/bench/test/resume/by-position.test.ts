import { describe, expect, it } from 'vitest'
import { attemptByPosition } from '../../src/resume/by-position.ts'
import type { Experiment } from '../../src/resume/experiment.ts'

const small: Experiment = { shape: 'parallel', agents: 100, seed: 1 }

describe('results found by position', () => {
  it('are all taken when every call stands where it stood', async () => {
    const first = await attemptByPosition(small, 1, [])
    const second = await attemptByPosition(small, 2, first.positions)
    expect([first.live, second.live]).toEqual([100, 0])
  })

  it('are lost from the first call on that has none', async () => {
    const failing = { ...small, failing: 'task 4' }
    const { positions } = await attemptByPosition(failing, 1, [])
    expect(await attemptByPosition(failing, 2, positions)).toMatchObject({ live: 96 })
  })

  it('are lost after the first stage of a pipeline, whose calls come in another order the next time', async () => {
    const pipeline: Experiment = { ...small, shape: 'pipeline' }
    const { positions } = await attemptByPosition(pipeline, 1, [])
    const { live } = await attemptByPosition(pipeline, 2, positions)
    expect(live).toBeGreaterThan(70)
  })

  it('stay behind when the process dies', async () => {
    const killed = { ...small, killAt: 50 }
    const first = await attemptByPosition(killed, 1, [])
    expect(first.live).toBeLessThanOrEqual(66)
    expect(first.positions.filter(position => position.done)).toHaveLength(50)
  })
})
