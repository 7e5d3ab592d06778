import type { AgentContext, AgentEvent, AgentExecutor, AgentOutcome } from '@tutti/runtime'
import type { Scrubber } from '../output/secrets.ts'

/**
 * An executor whose agents bring no known secret into records, journals and transcripts: neither by what they tell
 * nor by why they failed. What a successful agent gives to the script is left as it is.
 */
export function scrubExecutor(executor: AgentExecutor, scrub: Scrubber): AgentExecutor {
  async function* told(events: AsyncIterable<AgentEvent>): AsyncIterable<AgentEvent> {
    for await (const event of events) yield scrub.value(event)
  }

  const scrubbed = (context: AgentContext): AgentContext => ({
    ...context,
    transcript: line => context.transcript(scrub.value(line)),
  })

  return {
    backendOf: call => executor.backendOf(call),
    capabilities: backend => executor.capabilities(backend),
    start(call, context) {
      const execution = executor.start(call, scrubbed(context))
      return {
        events: told(execution.events),
        result: execution.result.then(outcome => withoutSecrets(outcome, scrub), rethrow(scrub)),
        cancel: reason => execution.cancel(reason),
      }
    },
  }
}

function withoutSecrets(outcome: AgentOutcome, scrub: Scrubber): AgentOutcome {
  if (outcome.status === 'ok') return outcome
  const { lastText } = outcome
  return {
    ...outcome,
    message: scrub.message(outcome.message),
    ...(lastText !== undefined && { lastText: scrub.text(lastText) }),
  }
}

function rethrow(scrub: Scrubber): (error: unknown) => never {
  return error => {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(scrub.message(message), { cause: error })
  }
}
