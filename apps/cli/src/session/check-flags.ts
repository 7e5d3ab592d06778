import { UsageError } from '../usage-error.ts'
import type { SessionFlags } from './session-flags.ts'

/** Throws UsageError for flags that do not go together. */
export function checkFlags(flags: SessionFlags): void {
  if (flags.inputFormat === 'stream-json' && flags.outputFormat !== 'stream-json') {
    throw new UsageError('--input-format stream-json needs --output-format stream-json')
  }
  if (flags.prompt !== undefined && !flags.print && !flags.formatGiven) {
    throw new UsageError(
      'a prompt on the command line needs -p',
      'Sessions are not held at the terminal: tutti -p "…" answers one prompt; tutti --help lists the commands.',
    )
  }
  if (flags.replayUserMessages && flags.inputFormat !== 'stream-json') {
    throw new UsageError('--replay-user-messages needs --input-format stream-json')
  }
}
