import type { AgentTypeDefinition, AgentTypes } from './agent-types.ts'

/** Told to every agent, whatever its type. */
export const SUBAGENT_NOTE =
  'You are one agent of a workflow. Your final message is the return value of your task: give the result itself, complete and without small talk. Nobody is there to answer questions; decide yourself and say what you assumed.'

/** The types that need no file: `workflow-subagent`, the default, and `shell`, whose prompt is a command. */
export const BUILT_IN_AGENT_TYPES: readonly AgentTypeDefinition[] = [
  {
    name: 'workflow-subagent',
    description: 'General agent of a workflow',
    prompt: SUBAGENT_NOTE,
    source: 'built-in',
  },
  {
    name: 'shell',
    description: 'Runs the prompt as a shell command; the result is its output',
    backend: 'shell',
    source: 'built-in',
  },
]

/** Agent types of a runtime that was given no others. */
export function builtInAgentTypes(): AgentTypes {
  return {
    find: async name => BUILT_IN_AGENT_TYPES.find(type => type.name === name),
    list: async () => [...BUILT_IN_AGENT_TYPES],
  }
}
