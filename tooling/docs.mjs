// Keeps docs in step with the code: `node tooling/docs.mjs` writes the generated blocks, --check compares. A block
// stands between `<!-- generated: <command> -->` and `<!-- end -->` and holds what the command prints; the examples of
// docs/protocol.md stand between `<!-- example: <name> -->` and `<!-- end -->`.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { build, root } from './pnpm.mjs'
import { refreshExamples } from './protocol-docs/examples.mjs'

const checking = process.argv.includes('--check')
const problems = []

build()
for (const file of markdownFiles()) refresh(file)
await refreshProtocol()
await coverErrors()
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else console.log('docs: up to date')

function markdownFiles() {
  const below = folder =>
    readdirSync(`${root}/${folder}`)
      .filter(name => name.endsWith('.md'))
      .map(name => `${folder}/${name}`)
  return ['README.md', ...below('docs'), 'apps/cli/README.md']
}

function refresh(file) {
  const before = readFileSync(`${root}/${file}`, 'utf8')
  const block = /<!-- generated: tutti (.*?) -->\n[\s\S]*?<!-- end -->/g
  const after = before.replace(block, (_, args) => {
    const text = execFileSync(process.execPath, ['apps/cli/dist/bin.js', ...args.split(' ')], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, NO_COLOR: '1', COLUMNS: '100' },
    })
    return `<!-- generated: tutti ${args} -->\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n<!-- end -->`
  })
  if (after === before) return
  if (checking) problems.push(`${file}: generated blocks are stale; run node tooling/docs.mjs`)
  else writeFileSync(`${root}/${file}`, after)
}

/** Each message of the protocol has an example, taken from a session that is held for it. */
async function refreshProtocol() {
  const file = `${root}/docs/protocol.md`
  const before = readFileSync(file, 'utf8')
  const { CONTROL_SUBTYPES } = await import(pathToFileURL(`${root}/packages/protocol/dist/index.js`).href)
  const known = CONTROL_SUBTYPES.map(name => `request ${name}`).filter(
    name => !before.includes(`${name} in `),
  )
  const { after, problems: found } = await refreshExamples(before, known)
  problems.push(...found.map(problem => `docs/protocol.md: ${problem}`))
  if (after === before) return
  if (checking) problems.push('docs/protocol.md: examples are stale; run node tooling/docs.mjs')
  else writeFileSync(file, after)
}

/** Every cause and every code that errors of the runtime and the command can have stands in docs/errors.md. */
async function coverErrors() {
  const text = readFileSync(`${root}/docs/errors.md`, 'utf8')
  const { CAUSES } = await import(pathToFileURL(`${root}/packages/protocol/dist/index.js`).href)
  const sources = ['errors/errors.ts', 'run/run-error.ts'].map(name => `packages/runtime/src/${name}`)
  const source = [...sources, 'apps/cli/src/usage-error.ts']
    .map(name => readFileSync(`${root}/${name}`, 'utf8'))
    .join('\n')
  const codes = [...source.matchAll(/(?<!from )'([a-z]+(?:-[a-z]+)*)'/g)].map(([, code]) => code)
  const listed = new Set([...text.matchAll(/^\| `([a-z_-]+)`/gm)].map(([, name]) => name))
  for (const name of new Set([...CAUSES, ...codes])) {
    if (name !== 'string' && !listed.has(name)) problems.push(`docs/errors.md: no row for ${name}`)
  }
}
