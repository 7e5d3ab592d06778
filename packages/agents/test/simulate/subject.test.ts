import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { subjectOf } from '../../src/simulate/subject.ts'

test('the topic is the first sentence, and the words are its telling ones', () => {
  expect(subjectOf('\n  Review the   parser.  Be strict.\nNow.')).toMatchObject({
    topic: 'Review the parser',
  })
  expect(subjectOf('Review the parser and the parser cache').words).toEqual(
    expect.arrayContaining(['parser', 'cache']),
  )
})

test('any prompt has words and a topic of at most 72 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), prompt => {
      const { topic, words } = subjectOf(prompt)
      expect(words.length).toBeGreaterThanOrEqual(4)
      expect(Array.from(topic).length).toBeLessThanOrEqual(72)
    }),
  )
})
