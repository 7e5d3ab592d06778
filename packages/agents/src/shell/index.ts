export { createShellBackend } from './backend.ts'
export type { ShellOptions } from './backend.ts'
export { decideCommand, parseCommandRules } from './permission.ts'
export type { CommandDecision, CommandRules } from './permission.ts'
