import type { DeskAccess } from './session-parts.ts'
import type { WorkflowDesk } from './workflow/types.ts'

/** Opens the desk when it is first needed, and only once. */
export function createDeskAccess(open: () => Promise<WorkflowDesk>): DeskAccess {
  let opened: WorkflowDesk | undefined
  let opening: Promise<WorkflowDesk> | undefined
  return {
    open() {
      opening ??= open().then(
        desk => (opened = desk),
        (error: unknown) => {
          opening = undefined
          throw error
        },
      )
      return opening
    },
    get opened() {
      return opened
    },
  }
}
