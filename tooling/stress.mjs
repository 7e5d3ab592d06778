// Every proof in full: stress.mjs [vitest arguments…]. TUTTI_STRESS_SEED=<n> repeats a run.
// The last line is the total: N passed, N failed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, ensureInstalled, requireNode, root, run } from './pnpm.mjs'

/** Tests that go further when TUTTI_STRESS is set. */
const PROOFS = [
  'tests/stress',
  'packages/storage/test/durability',
  'packages/storage/test/lease',
  'packages/storage/test/run/real-journals',
  'packages/agents/test/worktree/many',
  'packages/agents/test/process-groups',
]

requireNode()
ensureInstalled()
build()

const seed = process.env.TUTTI_STRESS_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
const folder = mkdtempSync(join(tmpdir(), 'tutti-stress-'))
const [results, counts] = [join(folder, 'results.json'), join(folder, 'counts.txt')]
try {
  console.log(`seed ${seed}`)
  const status = run(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project=stress',
      '--project=storage',
      '--project=agents',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${results}`,
      ...(process.argv.length > 2 ? process.argv.slice(2) : PROOFS),
    ],
    { env: { TUTTI_STRESS: '1', TUTTI_STRESS_SEED: seed, TUTTI_STRESS_REPORT: counts } },
  )
  const { numPassedTests, numFailedTests } = readResults()
  console.log(`\n${readCounts()}seed ${seed}`)
  console.log(`${numPassedTests} passed, ${Math.max(numFailedTests, status === 0 ? 0 : 1)} failed`)
  process.exitCode = status
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function readResults() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 1 }
  }
}

function readCounts() {
  try {
    return readFileSync(counts, 'utf8')
  } catch {
    return ''
  }
}
