// Writes the JSON Schema files of the protocol from its schemas, or with --check compares.
import { build, root, run } from './pnpm.mjs'

build()
const script = `${root}/packages/protocol/scripts/generate-schema.mjs`
process.exitCode = run(process.execPath, [script, ...process.argv.slice(2)])
