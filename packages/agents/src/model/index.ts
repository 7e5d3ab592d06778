export { createModelBackend } from './backend.ts'
export type { ModelOptions } from './backend.ts'
export { configuredEndpoint } from './endpoint.ts'
export type { Endpoint, Wire } from './endpoint.ts'
