/** What `workflow()` names. */
export type WorkflowRef = { name: string } | { scriptPath: string }

/** The text of a workflow and where it came from. */
export interface WorkflowText {
  source: string
  /** Absolute; absent for bundled ones. */
  path?: string
}

/** Where child workflows come from. */
export interface WorkflowSource {
  /** Paths are resolved relative to `from`, the script that asked. Throws WorkflowNotFoundError. */
  resolve(ref: WorkflowRef, from: string | undefined): Promise<WorkflowText>
}
