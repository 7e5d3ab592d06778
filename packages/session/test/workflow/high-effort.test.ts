import { describe, expect, it } from 'vitest'
import { sizeGuideline } from '../../src/workflow/size-guideline.ts'
import { wantsHighEffort, type EffortSigns } from '../../src/workflow/high-effort.ts'

const HUMAN = { kind: 'human' }

function wants(signs: Partial<EffortSigns>): boolean {
  return wantsHighEffort({ settings: {}, print: false, ...signs })
}

describe('high effort', () => {
  it('is asked for by flag and by setting, in every kind of session', () => {
    expect(wants({ effort: 'ultracode' })).toBe(true)
    expect(wants({ effort: 'ultracode', print: true })).toBe(true)
    expect(wants({ settings: { ultracode: true }, print: true })).toBe(true)
    expect(wants({ effort: 'max', settings: { ultracode: false } })).toBe(false)
  })

  it.each(['ultracode', 'please ULTRACODE this.', 'Ultracode: fix it', '(ultracode)', 'do it, ultracode!'])(
    'is asked for by the keyword in %j of a person',
    prompt => {
      expect(wants({ prompt, origin: HUMAN })).toBe(true)
      expect(wants({ prompt: [{ type: 'text', text: prompt }], origin: HUMAN })).toBe(true)
    },
  )

  it.each([
    'nothing of the kind',
    'ultracoder',
    'my-ultracode',
    'src/ultracode/x.ts',
    'ultracode.ts',
    'the flag --ultracode',
    'the variable `ultracode`',
    '```\nultracode\n```',
    'set ultracode=true',
  ])('is not asked for by %j', prompt => {
    expect(wants({ prompt, origin: HUMAN })).toBe(false)
  })

  it('is not asked for by the keyword where nobody typed it', () => {
    expect(wants({ prompt: 'ultracode' })).toBe(false)
    expect(wants({ prompt: 'ultracode', origin: { kind: 'task-notification' } })).toBe(false)
    expect(wants({ prompt: 'ultracode', origin: HUMAN, print: true })).toBe(false)
    expect(wants({ origin: HUMAN })).toBe(false)
    expect(wants({ prompt: [{ type: 'image', text: 'ultracode' }], origin: HUMAN })).toBe(false)
  })
})

describe('the size guideline', () => {
  it.each([
    [undefined, 100],
    ['small', 5],
    ['Large', 50],
    ['unrestricted', Number.POSITIVE_INFINITY],
    ['30', 30],
    [7, 7],
    [0, 100],
    ['many', 100],
  ])('%j means %j agents', (workflowSizeGuideline, agents) => {
    expect(sizeGuideline({ workflowSizeGuideline }).agents).toBe(agents)
  })
})
