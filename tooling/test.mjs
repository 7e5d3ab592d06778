// Every test of the workspace. The last line is the total: N passed, N failed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, ensureInstalled, requireNode, root, run } from './pnpm.mjs'

requireNode()
ensureInstalled()
build()

const parts = [unitTests(), conformance(), conformance('tests/conformance/own')]
const passed = parts.reduce((sum, part) => sum + part.passed, 0)
const failed = parts.reduce((sum, part) => sum + part.failed, 0)
process.exitCode = failed === 0 ? 0 : 1
console.log(`\n${passed} passed, ${failed} failed`)

/** All vitest projects; a run that breaks outside a test (a file that does not load) counts as one failure. */
function unitTests() {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-test-'))
  try {
    const report = join(folder, 'report.json')
    const status = run(process.execPath, [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ])
    const { numPassedTests, numFailedTests } = readReport(report)
    return { passed: numPassedTests, failed: Math.max(numFailedTests, status === 0 ? 0 : 1) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 1 }
  }
}

/** Behaviour cases, the default ones or those of a folder, by the line of totals that their runner ends with. */
function conformance(...folders) {
  console.log(['\nconformance', ...folders].join(' '))
  const runner = join(root, 'tooling/conformance/dist/main.js')
  const { stdout, status } = spawnSync(process.execPath, [runner, ...folders], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  process.stdout.write(stdout)
  const totals = /(\d+) passed, (\d+) failed/.exec(stdout.trimEnd().split('\n').at(-1) ?? '')
  if (!totals) return { passed: 0, failed: 1 }
  return { passed: Number(totals[1]), failed: Math.max(Number(totals[2]), status === 0 ? 0 : 1) }
}
