// Runs a generator's check once the generator exists: optional.mjs <file> [arguments…]
import { existsSync } from 'node:fs'
import { root, run } from './pnpm.mjs'

const [file, ...args] = process.argv.slice(2)
if (existsSync(`${root}/${file}`)) process.exitCode = run(process.execPath, [`${root}/${file}`, ...args])
else console.log(`${file}: nothing to check yet`)
