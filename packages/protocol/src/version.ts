/**
 * Version of the vocabulary in this package. Within a major version fields, frames and journal lines are
 * only ever added; readers keep what they do not know.
 */
export const PROTOCOL_VERSION = '1.0.0'

/** The stream-json revision whose shapes are the baseline of the wire; announced as `claude_code_version`. */
export const WIRE_BASELINE = '2.1.220'

/** `schemaVersion` of records and of the journal's `launched` lines. */
export const SCHEMA_VERSION = 1
