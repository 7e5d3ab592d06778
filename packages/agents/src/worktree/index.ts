export { isolatedBackend } from './isolated-backend.ts'
export type { IsolationOptions } from './isolated-backend.ts'
