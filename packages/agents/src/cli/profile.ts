import type { Cause, JsonValue } from '@tutti/protocol'

/** Where a value is in an event: names joined by dots, for example `item.text`. */
export type Path = string

/** How token counts are laid out. */
export interface UsagePaths {
  input: Path
  output: Path
  cacheRead?: Path
  cacheWrite?: Path
  /** `input` counts cached tokens, too. */
  inputHasCached?: boolean
  /** `sum`: one event per step; `total`: the last event counts. */
  as: 'sum' | 'total'
}

/** What events of one kind tell. */
export interface EventRule {
  /** The rule is for events that have these values; a list: one of them. */
  when?: Record<Path, JsonValue>
  /** Applies rules to each entry of a list within the event. */
  each?: { path: Path; rules: EventRule[] }
  session?: Path
  model?: Path
  /** A message of the agent, or a piece of one. */
  text?: Path
  /** `text` is a whole message and replaces the one before. */
  whole?: boolean
  /** The final text; wins over messages. */
  final?: Path
  thinking?: Path
  /** The object, of products with a schema of their own. */
  object?: Path
  tool?: { name: Path; summary?: Path }
  /** Name of a tool that ended. */
  toolEnd?: Path
  /** Another turn of the agent's loop begins. */
  turn?: boolean
  usage?: UsagePaths
  /** US dollars; added up, or taken over, as the usage beside it. */
  cost?: Path
  /** The agent reports an error; a list of paths: the first that is there. */
  error?: Path | Path[]
  /** Where its kind is told; together with the message it decides about the cause. */
  errorKind?: Path
  /** The error is of this cause whatever its message says. */
  cause?: Cause
  /** The agent has ended well. */
  done?: boolean
}

/**
 * How a product's command is run without a terminal, as data. Arguments may hold `{prompt}`, `{model}`,
 * `{effort}`, `{cwd}`, `{session}`, `{maxTurns}`, `{system}`, `{schema}`, `{schemaFile}`, `{mcpFile}`,
 * `{mcpCommand}`, `{mcpArgs}`, `{mcpWords}`, `{tools}`, `{sandbox}`, `{allow}`, `{deny}` and names of `files`. A list
 * among the arguments is left out unless everything in it has a value.
 */
export interface CliProfile {
  command: string
  args: (string | string[])[]
  /** Left out unless everything in it has a value. */
  env?: Record<string, string>
  /** JSON files that are written for the run; each is a value by its name. */
  files?: Record<string, JsonValue>
  /** Where the prompt goes: standard input, or the arguments through `{prompt}`. */
  prompt: 'stdin' | 'argument'
  /** `jsonl`: one event a line; `json`: one event; `text`: the output is the final text. */
  output: 'jsonl' | 'json' | 'text'
  events?: EventRule[]
  /**
   * `native`: it takes a schema itself; `strict`: one of the strict subset only, and others through the tool;
   * `mcp`: through the tool; `text`: it is told to answer with JSON.
   */
  schema: 'native' | 'strict' | 'mcp' | 'text'
  /** What exit codes other than 0 mean. */
  exitCodes?: Record<string, Cause>
  /** It stops by itself at `{maxTurns}`, or its turns are counted. */
  maxTurns?: 'own' | 'counted'
  /** Models that definitions of agent types name are its own. */
  typeModels?: boolean
  /** Prints the version. */
  version?: string[]
  /** Variables with which it can be used without having logged in. */
  keys?: string[]
}
