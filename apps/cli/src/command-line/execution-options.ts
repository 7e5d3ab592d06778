import { Option, type Command } from 'commander'
import { dollars, duration, orNone, wholeNumber } from './option-values.ts'

/** Adds the options that `run`, `resume` and `fork` share. */
export function executionOptions(command: Command): Command {
  return command
    .addOption(new Option('--args <json>', 'arguments of the script').conflicts('argsFile'))
    .option('--args-file <file>', 'arguments from a JSON file')
    .option(
      '--backend <name>',
      'what runs the agents: model, simulate, scripted:<file>, or one from settings',
    )
    .option('--model <id>', 'default model of the agents')
    .option('--concurrency <n>', 'agents at once', wholeNumber('--concurrency'))
    .option('--max-agents <n>', 'calls per run', wholeNumber('--max-agents'))
    .option('--budget <n>', 'output tokens for the whole run; none lifts it', orNone(wholeNumber('--budget')))
    .option('--budget-tokens <n>', 'tokens of all kinds', orNone(wholeNumber('--budget-tokens')))
    .option('--budget-cost <usd>', 'cost in US dollars', orNone(dollars('--budget-cost')))
    .option('--budget-time <duration>', 'wall clock, such as 90s or 1h30m', orNone(duration('--budget-time')))
    .option('--script-cpu-ms <n>', 'one stretch of script, in ms', wholeNumber('--script-cpu-ms'))
    .option('--script-memory-mib <n>', 'memory of the script, in MiB', wholeNumber('--script-memory-mib'))
    .addOption(
      new Option('--cache <mode>', 'when a recorded result is taken').choices(['auto', 'content', 'never']),
    )
    .option('--auto-resume', 'a run that a used-up account paused goes on when it can')
    .option('--settings <file|json>', 'more settings')
    .option('--trust-project', "let the project's own settings set keys, endpoints and permissions")
    .option('--allow-shell', "let agents of type 'shell' run commands")
    .addOption(
      new Option('--permission-mode <mode>', 'what agents may do where no rule says it').choices([
        'default',
        'acceptEdits',
        'plan',
        'dontAsk',
        'bypassPermissions',
      ]),
    )
    .option(
      '--allowed-tools <rules>',
      'more permissions.allow: "Bash(npm test:*),WebFetch"; may be repeated',
      collected,
    )
    .option('--disallowed-tools <rules>', 'more permissions.deny', collected)
    .addOption(
      new Option('--dialect <name>', 'shape of the frames').choices(['auto', 'codebuddy', 'claude-code']),
    )
    .addOption(new Option('--json', 'the result as one line of JSON').conflicts('streamJson'))
    .addOption(new Option('--stream-json', 'frames of the run, one a line, instead of the result'))
    .option('--quiet', 'no progress and no summary')
}

function collected(value: string, before: string[] = []): string[] {
  return [...before, value]
}
