// Builds the workspace, then starts one of its programs: built.mjs <file> [arguments…]
import { build, ensureInstalled, root, run } from './pnpm.mjs'

const [file, ...args] = process.argv.slice(2)
ensureInstalled()
build()
process.exitCode = run(process.execPath, [`${root}/${file}`, ...args], { stdio: 'inherit' })
