import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BUILT_IN_AGENT_TYPES, WorkflowInputError } from '@tutti/runtime'
import type { AgentTypeDefinition, AgentTypes } from '@tutti/runtime'
import { readSmallFile } from '../files/read-small-file.ts'
import { directoriesToRepositoryRoot } from '../files/repository.ts'
import { resolveRoot } from '../root.ts'
import { fileNameOf, parseAgentType } from './parse-agent-type.ts'

export interface AgentTypesOptions {
  cwd: string
  /** Default: `resolveRoot()`. */
  root?: string
}

/** A definition file that cannot be used. */
export interface AgentTypeProblem {
  /** Name of the file without `.md`. */
  name: string
  path: string
  error: string
}

/** Agent types from files. They are read once, at the first use: all calls of a run see the same ones. */
export interface FileAgentTypes extends AgentTypes {
  /** Throws WorkflowInputError `agent-type-unknown` for a type whose file is broken. */
  find(name: string): Promise<AgentTypeDefinition | undefined>
  problems(): Promise<AgentTypeProblem[]>
}

interface Found {
  types: Map<string, AgentTypeDefinition>
  problems: AgentTypeProblem[]
}

const MAX_BYTES = 1024 * 1024

/**
 * The agent types of a working directory: the built-in ones, which no file replaces, then `.claude/agents`
 * of each directory up to the repository root, nearest first, then those of the user.
 */
export function openAgentTypes(options: AgentTypesOptions): FileAgentTypes {
  const directories = agentDirectories(options)
  let reading: Promise<Found> | undefined
  const all = (): Promise<Found> => (reading ??= readAll(directories))
  return {
    async find(name) {
      const builtIn = BUILT_IN_AGENT_TYPES.find(type => type.name === name)
      if (builtIn) return builtIn
      const { types, problems } = await all()
      const found = types.get(name)
      const problem = found ? undefined : problems.find(broken => broken.name === name)
      if (problem) throw unusable(problem)
      return found
    },
    list: async () => [...BUILT_IN_AGENT_TYPES, ...(await all()).types.values()],
    problems: async () => (await all()).problems,
  }
}

function agentDirectories(options: AgentTypesOptions): string[] {
  const project = directoriesToRepositoryRoot(options.cwd).map(directory =>
    join(directory, '.claude', 'agents'),
  )
  return [...new Set([...project, join(resolve(options.root ?? resolveRoot()), 'agents')])]
}

async function readAll(directories: readonly string[]): Promise<Found> {
  const found: Found = { types: new Map(), problems: [] }
  for (const directory of directories) {
    const names = (await readdir(directory).catch((): string[] => []))
      .filter(name => /^[^.].*\.md$/.test(name))
      .sort()
    for (const name of names) await readInto(found, join(directory, name))
  }
  return found
}

async function readInto({ types, problems }: Found, path: string): Promise<void> {
  try {
    const text = await readSmallFile(path, MAX_BYTES)
    if (text === undefined) return
    // Only read when there is a file: a start without definitions does not load the parser.
    const { parseDocument } = await import('yaml')
    const type = parseAgentType(text, path, parseDocument)
    if (BUILT_IN_AGENT_TYPES.some(builtIn => builtIn.name === type.name)) {
      throw new Error(`"${type.name}" is built in and cannot be replaced`)
    }
    // A broken file nearer by hides the ones of its name farther away.
    if (!types.has(type.name) && !problems.some(problem => problem.name === type.name))
      types.set(type.name, type)
  } catch (error) {
    problems.push({ name: fileNameOf(path), path, error: (error as Error).message })
  }
}

function unusable({ name, path, error }: AgentTypeProblem): WorkflowInputError {
  return new WorkflowInputError(
    'agent-type-unknown',
    `The agent type "${name}" cannot be used: ${path}: ${error}. Correct the file.`,
  )
}
