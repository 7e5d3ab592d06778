export { createSimulateBackend, simulateSpeedOf } from './backend.ts'
export type { SimulateOptions } from './backend.ts'
