// Everything from a fresh clone to a finished workflow.
import { build, ensureInstalled, requireNode, root, run } from './pnpm.mjs'

requireNode()
ensureInstalled()
build()
process.exitCode = run(
  process.execPath,
  [`${root}/apps/cli/dist/bin.js`, 'run', 'examples/review-changes.js'],
  {
    stdio: 'inherit',
  },
)
