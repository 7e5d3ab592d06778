/** `wf_` + 8 hex + `-` + 3 hex. */
export const RUN_ID_PATTERN: RegExp = /^wf_[0-9a-f]{8}-[0-9a-f]{3}$/

/** What other products' run ids look like; accepted wherever a run is looked up. */
export const FOREIGN_RUN_ID_PATTERN: RegExp = /^wf_[a-z0-9-]{6,}$/

/** `w` + 8 of `0-9a-z`; one per attempt. */
export const TASK_ID_PATTERN: RegExp = /^w[0-9a-z]{8}$/

/** `a` + 16 hex; names a transcript. */
export const TRANSCRIPT_ID_PATTERN: RegExp = /^a[0-9a-f]{16}$/

/** Lower-case UUID. */
export const SESSION_ID_PATTERN: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** `v2:` + sha256 in hex; the content key of a call. */
export const KEY_PATTERN: RegExp = /^v2:[0-9a-f]{64}$/
