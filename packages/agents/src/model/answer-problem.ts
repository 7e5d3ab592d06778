import type { Cause } from '@tutti/protocol'
import type { Turn } from './turn.ts'

/** Why an answer that came to its end is not good. */
export function answerProblem({ finish, usage }: Turn): { cause: Cause; message: string } | undefined {
  if (finish?.unified === 'content-filter')
    return { cause: 'refused', message: 'the model refused to answer' }
  if (finish?.unified === 'length')
    return {
      cause: 'context_overflow',
      message: `the answer was cut off after ${usage.output} output tokens`,
    }
  return undefined
}
