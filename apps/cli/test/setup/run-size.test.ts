import { expect, test } from 'vitest'
import { largeRunWarning, sizeGuideline } from '../../src/setup/run-size.ts'

test.each([
  [undefined, 100],
  [40, 40],
  ['40', 40],
  ['small', 5],
  ['Medium', 15],
  ['large', 50],
  ['unrestricted', Number.POSITIVE_INFINITY],
  ['enormous', 100],
  ['', 100],
  [0, 100],
  [-3, 100],
])('workflowSizeGuideline %j means %d agents', (given, agents) => {
  expect(sizeGuideline(given === undefined ? {} : { workflowSizeGuideline: given }).agents).toBe(agents)
})

test('nothing is large without a restriction', () => {
  expect(
    largeRunWarning(1e9, 'it has', sizeGuideline({ workflowSizeGuideline: 'unrestricted' })),
  ).toBeUndefined()
})

test('exactly as many agents as the guideline are no large run', () => {
  const guideline = sizeGuideline({ workflowSizeGuideline: 3 })
  expect(largeRunWarning(3, 'it has', guideline)).toBeUndefined()
  expect(largeRunWarning(4, 'it has', guideline)).toContain('it has 4 agents, more than 3')
})
