export type { MockError, MockReply, MockToolCall, MockUsage } from './reply.ts'
export { startMockModel } from './server.ts'
export type { MockModel, MockModelOptions, MockRequest } from './server.ts'
