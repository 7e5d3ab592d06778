import type { Settings } from '@tutti/protocol'

const VARIABLES = ['CODEBUDDY_DISABLE_WORKFLOWS', 'CLAUDE_CODE_DISABLE_WORKFLOWS', 'TUTTI_DISABLE_WORKFLOWS']

export interface SwitchPlaces {
  env: Record<string, string | undefined>
  settings?: Pick<Settings, 'disableWorkflows' | 'enableWorkflows'>
  /** The file or variable that set `disableWorkflows`. */
  place?: string
}

/** The switch that turns workflows off, as a person would name it; undefined when none does. */
export function workflowSwitch({ env, settings, place }: SwitchPlaces): string | undefined {
  const variable = VARIABLES.find(name => env[name] === '1' || env[name]?.toLowerCase() === 'true')
  if (variable !== undefined) return `the environment variable ${variable}`
  if (settings?.disableWorkflows === true) return `"disableWorkflows" in ${place ?? 'the settings'}`
  return settings?.enableWorkflows === false ? '"enableWorkflows": false in the settings' : undefined
}
