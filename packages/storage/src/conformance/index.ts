export { storeConformance } from './store-conformance.ts'
export type { StoreUnderTest, TestRunner } from './store-conformance.ts'
