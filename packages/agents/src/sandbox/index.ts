export { openSandbox, sandboxProblem } from './open-sandbox.ts'
export { probeSandbox } from './probe-sandbox.ts'
export type { SandboxReport } from './probe-sandbox.ts'
export type { Sandbox, SandboxPlace } from './sandbox.ts'
