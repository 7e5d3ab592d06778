import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import type { ChatMessage } from '@tutti/agents/chat'
import { chooseSession } from '../../src/transcript/choose-session.ts'
import { createSeededRandom } from '@tutti/runtime/testing'
import { sessionFolder } from '../support/session-folder.ts'

const A = '00000000-0000-4000-8000-00000000000a'

const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }).map((content): ChatMessage => ({ role: 'user', content })),
  fc.string({ minLength: 1 }).map((text): ChatMessage => ({
    role: 'assistant',
    content: [
      { type: 'text', text },
      { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { text } },
    ],
  })),
)

test.prop([fc.array(message, { minLength: 1, maxLength: 6 }), fc.double({ min: 0, max: 1, noNaN: true })], {
  numRuns: 50,
})(
  'a transcript that was cut at any byte is resumed with what was whole, and goes on',
  async (said, share) => {
    const folder = sessionFolder()
    try {
      const log = folder.log(A)
      for (const one of said) log.append(one)
      await log.close()
      const whole = Buffer.from((await folder.files.read(A)) ?? '')
      await folder.write(A, whole.subarray(0, Math.floor(share * whole.length)))

      const chosen = await chooseSession(folder.files, { resume: A }, createSeededRandom(1))
      const kept = chosen.earlier?.messages ?? []
      expect(kept).toEqual(said.slice(0, kept.length))

      const goesOn = folder.log(A, { earlier: chosen.earlier })
      goesOn.append({ role: 'user', content: 'more' })
      await goesOn.close()
      const again = await chooseSession(folder.files, { resume: A }, createSeededRandom(1))
      expect(again.earlier?.messages).toEqual([...kept, { role: 'user', content: 'more' }])
      expect(folder.problems).toEqual([])
    } finally {
      await folder.remove()
    }
  },
)
