import { WorkflowInputError } from '@tutti/runtime'
import type { Wish } from '../tools/tool.ts'
import { pathMatcher } from './path-pattern.ts'

/** A permission rule about tools other than the shell. */
export interface ToolRule {
  /** As it was written. */
  text: string
  /** About the tool whatever it is used for. */
  bare: boolean
  matches(tool: string, wish: Wish): boolean
}

const RULE = /^([^\s()]+)(?:\((.*)\))?$/s

/**
 * Reads `Tool` and `Tool(specifier)`; rules about commands give undefined. Throws WorkflowInputError
 * `settings-invalid` for a text that is no rule: one that denies must not be passed over.
 */
export function parseToolRule(rule: string, root: string): ToolRule | undefined {
  const text = rule.trim()
  const [, name = '', given] = RULE.exec(text) ?? []
  if (name === '')
    throw new WorkflowInputError(
      'settings-invalid',
      `permission rule "${text}" is not of the form Tool(specifier)`,
    )
  if (name === 'Bash') return undefined
  const specifier = given?.trim()
  if (specifier === undefined || specifier === '' || specifier === '*')
    return { text, bare: true, matches: bareMatcher(name) }
  return { text, bare: false, matches: specificMatcher(name, specifier, root) }
}

function bareMatcher(name: string): ToolRule['matches'] {
  if (name.startsWith('mcp__')) {
    const server = `${name.replace(/__\*$/, '')}__`
    return tool => tool === name || tool.startsWith(server)
  }
  if (name === 'Edit') return (tool, wish) => tool === name || wish.kind === 'edit'
  if (name === 'Read') return (tool, wish) => tool === name || wish.kind === 'read'
  return tool => tool === name
}

function specificMatcher(name: string, specifier: string, root: string): ToolRule['matches'] {
  switch (name) {
    case 'Read':
    case 'Glob':
    case 'Grep': {
      const matches = pathMatcher(specifier, root)
      return (tool, wish) => wish.kind === 'read' && (name === 'Read' || tool === name) && matches(wish.path)
    }
    case 'Edit':
    case 'Write': {
      const matches = pathMatcher(specifier, root)
      return (_, wish) => wish.kind === 'edit' && matches(wish.path)
    }
    case 'WebFetch':
      return hostMatcher(specifier)
    default:
      return () => false
  }
}

function hostMatcher(specifier: string): ToolRule['matches'] {
  const domain = specifier
    .replace(/^domain:/, '')
    .trim()
    .toLowerCase()
  if (domain.startsWith('*.'))
    return (_, wish) => wish.kind === 'fetch' && wish.host.toLowerCase().endsWith(domain.slice(1))
  return (_, wish) => wish.kind === 'fetch' && wish.host.toLowerCase() === domain
}
