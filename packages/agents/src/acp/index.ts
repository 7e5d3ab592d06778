export { createAcpBackend } from './backend.ts'
export type { AcpOptions } from './backend.ts'
