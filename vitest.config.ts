import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const conditions = ['@tutti/source', 'module', 'node', 'development|production']

const projects = {
  protocol: 'packages/protocol',
  runtime: 'packages/runtime',
  storage: 'packages/storage',
  agents: 'packages/agents',
  session: 'packages/session',
  cli: 'apps/cli',
  conformance: 'tooling/conformance',
  bench: 'tooling/bench',
  'frame-check': 'tooling/frame-check',
  workspace: 'tests/workspace',
  e2e: 'tests/e2e',
  clients: 'tests/clients',
  stress: 'tests/stress',
  products: 'tests/products',
}

/** The packages are packed and installed once, then driven as whole processes. */
const packed = {
  globalSetup: fileURLToPath(new URL('tests/e2e/test/installed/setup.ts', import.meta.url)),
  testTimeout: 60_000,
  hookTimeout: 300_000,
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    globalSetup: fileURLToPath(new URL('tooling/build/vitest-setup.js', import.meta.url)),
    passWithNoTests: true,
    // Guards against hangs only; the machine may be busy.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: Object.entries(projects).map(([name, root]) => ({
      extends: true as const,
      root,
      test: {
        name,
        include: ['test/**/*.test.ts'],
        // Its files load the same modules again and again, and keep no state in them.
        isolate: name !== 'session',
        ...(['e2e', 'clients'].includes(name) && packed),
      },
    })),
  },
})
