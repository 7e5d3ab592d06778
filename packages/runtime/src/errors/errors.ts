import type { JsonValue } from '@tutti/protocol'
import { TuttiError, type ErrorDetails } from './tutti-error.ts'

export type InputErrorCode =
  | 'script-invalid'
  | 'args-invalid'
  | 'option-invalid'
  | 'agent-type-unknown'
  | 'settings-invalid'
  | 'cannot-continue'

/** Bad input: refused at launch, or thrown into the script before any dispatch. */
export class WorkflowInputError extends TuttiError {
  declare readonly code: InputErrorCode
  constructor(code: InputErrorCode, message: string, details?: ErrorDetails) {
    super(code, message, details)
  }
}

/** No saved workflow of that name, or no script at that path. */
export class WorkflowNotFoundError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('workflow-not-found', message, details)
  }
}

/** No run of that id in the places searched. */
export class RunNotFoundError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('run-not-found', message, details)
  }
}

/** `run-is-owned`: a live process owns the run. `lease-lost`: another one took it over. */
export class LeaseError extends TuttiError {
  constructor(code: 'run-is-owned' | 'lease-lost', message: string, details?: ErrorDetails) {
    super(code, message, details)
  }
}

export class JournalError extends TuttiError {
  constructor(
    code: 'journal-unreadable' | 'journal-write-failed' | 'journal-newer',
    message: string,
    details?: ErrorDetails,
  ) {
    super(code, message, details)
  }
}

/** Run-level: crosses `parallel` and `pipeline`. */
export class AgentLimitError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('agent-limit', message, details)
  }
}

/** Run-level: crosses `parallel` and `pipeline`. */
export class BudgetError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('budget', message, details)
  }
}

/** Run-level: crosses `parallel` and `pipeline`. */
export class RunStoppedError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('run-stopped', message, details)
  }
}

/** No valid object after the allowed submissions. Scripts see the fields of `data` on the error itself. */
export class StructuredOutputError extends TuttiError {
  readonly data: { lastInvalid?: JsonValue; lastText?: string; issues?: JsonValue }
  constructor(
    code: 'schema-rejected' | 'schema-not-called',
    message: string,
    data: { lastInvalid?: JsonValue; lastText?: string; issues?: JsonValue },
  ) {
    super(code, message)
    this.data = data
  }
}

/** An error inside `workflow()`; the original is `cause`. */
export class ChildWorkflowError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('child-failed', message, details)
  }
}

/** Anything the script threw, with its place. */
export class ScriptError extends TuttiError {
  constructor(code: 'script-error' | 'unhandled-rejection', message: string, details?: ErrorDetails) {
    super(code, message, details)
  }
}

export class ScriptTimeoutError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('script-timeout', message, details)
  }
}

export class ScriptMemoryError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('script-memory', message, details)
  }
}

/** The script waits on nothing. */
export class DeadlockError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('deadlock', message, details)
  }
}

export class SandboxError extends TuttiError {
  constructor(message: string, details?: ErrorDetails) {
    super('sandbox-crashed', message, details)
  }
}
