import { expect, test } from 'vitest'
import { createColors } from '../../src/render/colors.ts'
import { errorText } from '../../src/render/error-text.ts'

const colors = createColors(false)

test('a hint follows the message, unless the message gives it already', () => {
  expect(errorText({ message: 'no run', hint: 'Start one.', code: 'run-not-found' }, colors, false)).toBe(
    'error no run\nhint  Start one.\ncode  run-not-found\n',
  )
  const owned = {
    message: 'It is owned. Stop it with: tutti stop wf_1, or wait.',
    hint: 'Stop it with: tutti stop wf_1',
  }
  expect(errorText(owned, colors, false)).toBe(`error ${owned.message}\n`)
})
