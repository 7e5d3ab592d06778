import { bundleSandboxWorker } from './sandbox-worker.js'

const once = Symbol.for('@tutti-internal/build/vitest-setup')

/** Every vitest project calls this at its start; the sandbox worker is bundled once per process. */
export default function setup() {
  return (globalThis[once] ??= bundleSandboxWorker())
}
