// Writes schema/*.json from the built schemas, or with --check compares; `pnpm build` comes first.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { jsonSchemas } from '../dist/schemas.js'

const check = process.argv.includes('--check')
const folder = new URL('../schema/', import.meta.url)

mkdirSync(folder, { recursive: true })
const files = new Map(
  Object.entries(jsonSchemas()).map(([name, schema]) => [
    `${name}.json`,
    `${JSON.stringify(schema, undefined, 2)}\n`,
  ]),
)
const present = new Map(readdirSync(folder).map(name => [name, readFileSync(new URL(name, folder), 'utf8')]))
const stale = [...new Set([...files.keys(), ...present.keys()])].filter(
  name => files.get(name) !== present.get(name),
)

for (const name of stale) {
  const text = files.get(name)
  if (check) console.error(`packages/protocol/schema/${name}: out of date; run \`pnpm schema\``)
  else if (text === undefined) rmSync(new URL(name, folder))
  else writeFileSync(new URL(name, folder), text)
}
if (check && stale.length > 0) process.exitCode = 1
else
  console.log(
    `packages/protocol/schema: ${files.size} files, ${stale.length === 0 ? 'up to date' : 'written'}`,
  )
