import type { AgentRow, RecordAgentRow } from '@tutti/protocol'

/** A row as the runtime tells it; what it costs is no part of the wire. */
export type ShownAgent = AgentRow & Pick<RecordAgentRow, 'costUsd'>
