import { exampleOf } from './example.ts'
import type { MockReply } from './reply.ts'
import type { MockRequest } from './server.ts'
import { viewOf } from './view.ts'

/** One rule of a script. */
export interface ScriptRule {
  when?: {
    /** Stands in the first thing the user said. */
    prompt?: string
    /** Stands in what was said or returned last. */
    last?: string
    /** Answers of the model before this one. */
    answers?: number
  }
  reply: MockReply
}

/** Answers by the first rule that fits; without any, hands over an example where the schema asks for one. */
export function scripted(rules: readonly ScriptRule[]): (request: MockRequest) => MockReply {
  return request => {
    const { prompt, last, answers, tools } = viewOf(request)
    const rule = rules.find(
      ({ when = {} }) =>
        prompt.includes(when.prompt ?? '') &&
        last.includes(when.last ?? '') &&
        (when.answers ?? answers) === answers,
    )
    if (rule) return rule.reply
    const usage = { input: Math.ceil(JSON.stringify(request.body).length / 4), output: 20 }
    const output = tools.find(({ name }) => name.endsWith('StructuredOutput'))
    return output
      ? { toolCalls: [{ name: output.name, input: exampleOf(output.schema) }], usage }
      : { text: `You said: ${prompt.slice(0, 200)}`, usage }
  }
}
