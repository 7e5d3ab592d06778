export { openSandbox, sandboxProblem } from './open-sandbox.ts'
export { probeSandbox } from './probe-sandbox.ts'
