import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import type { UserFrame } from '@tutti/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSpilledTexts, type SpilledTexts } from '../../src/turn/spilled-texts.ts'
import { createWorkQueue, type Work } from '../../src/turn/work-queue.ts'

let folder: string
let spilled: SpilledTexts
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tutti-queue-'))
  spilled = createSpilledTexts(() => 'waiting', folder)
})
afterEach(() => {
  spilled.close()
  rmSync(folder, { recursive: true })
})

const prompt = (content: UserFrame['message']['content'], uuid = 'u'): Work => ({
  kind: 'prompt',
  uuid,
  frame: { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null },
})

describe('messages that wait', () => {
  property.prop([
    fc.array(fc.oneof(fc.string({ maxLength: 60, unit: 'grapheme' }), fc.constant(undefined)), {
      maxLength: 60,
    }),
  ])('come out as they went in, in their order, wherever they waited', steps => {
    const queue = createWorkQueue({ spilled, mostHeldBytes: 1200 })
    const expected: string[] = []
    for (const [n, step] of steps.entries()) {
      if (step !== undefined) {
        queue.push(prompt([{ type: 'text', text: step }], `u${n}`))
        expected.push(step)
        expect(queue.heldBytes).toBeLessThanOrEqual(1200)
        continue
      }
      const work = queue.shift()
      expect(work).toMatchObject(
        expected.length === 0
          ? {}
          : prompt([{ type: 'text', text: expected.shift() ?? '' }], work && uuidOf(work)),
      )
    }
    expect(queue.size).toBe(expected.length)
    expect(queue.promptIds).toHaveLength(expected.length)
    while (queue.size > 0) queue.shift()
  })

  test('are held in memory only up to a bound, and the rest leaves no file behind', () => {
    const queue = createWorkQueue({ spilled, mostHeldBytes: 5000 })
    for (let n = 0; n < 100; n++) queue.push(prompt('x'.repeat(1000), `u${n}`))
    expect(queue.heldBytes).toBeLessThanOrEqual(5000)
    expect(queue.promptIds).toEqual(Array.from({ length: 100 }, (_, n) => `u${n}`))
    expect(readdirSync(folder)).toEqual([])
  })

  test('stay in memory where the disk does not take them', () => {
    const nowhere = createSpilledTexts(() => 'waiting', join(folder, 'missing'))
    const queue = createWorkQueue({ spilled: nowhere, mostHeldBytes: 100 })
    queue.push(prompt('x'.repeat(1000)))
    expect(queue.shift()).toMatchObject(prompt('x'.repeat(1000)))
  })

  test('are forgotten when it is closed', () => {
    const queue = createWorkQueue({ spilled, mostHeldBytes: 0 })
    queue.push(prompt('x'))
    queue.close()
    expect([queue.size, queue.heldBytes, queue.shift()]).toEqual([0, 0, undefined])
  })
})

function uuidOf(work: Work): string | undefined {
  return work.kind === 'prompt' ? work.uuid : undefined
}
