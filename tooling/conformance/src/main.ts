// conformance [folder or file…]: runs behaviour cases; without arguments those of the repository.
import { join, relative } from 'node:path'
import { findCases } from './case/find-cases.ts'
import { environmentOf } from './case/read-case.ts'
import { differencesOfCopy } from './copy/compare-copy.ts'
import { readExpectedFailures } from './copy/expected-failures.ts'
import { runJobs, WORKER_FLAG } from './pool/pool.ts'
import { serveCases } from './pool/worker.ts'
import { isWrong, lines, type Verdict } from './report/report.ts'
import { repository } from './steps/command.ts'

const AT_ONCE = 2
const folder = join(repository, 'tests/conformance')
const copy = join(folder, 'cases')
const source = join(repository, '../shared/cases')

if (process.argv.includes(WORKER_FLAG)) serveCases()
else process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1

/** True when everything holds that should. */
async function main(places: string[]): Promise<boolean> {
  const verdicts = await runAll(findCases(places.length > 0 ? places : [copy]))
  const wrong = verdicts.filter(isWrong).length
  const complaints = places.length > 0 ? [] : copyComplaints()
  const failed = wrong + complaints.length
  for (const complaint of complaints) console.log(`✗ ${complaint}`)
  const expected = verdicts.filter(({ expectedFailure }) => expectedFailure !== undefined).length
  if (expected > 0) console.log(`\n${expected} of these are expected to fail`)
  if (verdicts.length === 0) console.log('there is no case')
  console.log(`\n${verdicts.length - wrong} passed, ${failed} failed`)
  return failed === 0 && verdicts.length > 0
}

async function runAll(files: string[]): Promise<Verdict[]> {
  const { reasonOf } = readExpectedFailures(join(folder, 'expected-failures.json'), copy)
  const verdicts: Verdict[] = []
  const jobs = files.map(file => ({ file, env: environmentOf(file) }))
  await runJobs(jobs, {
    size: AT_ONCE,
    done(index, result) {
      const file = files[index] ?? ''
      const verdict = { ...result, name: nameOf(file), expectedFailure: reasonOf(file) }
      verdicts.push(verdict)
      console.log(lines(verdict).join('\n'))
    },
  })
  return verdicts
}

/** What is wrong with the repository's own cases as a whole. A copy that fell behind is only told outside of CI. */
function copyComplaints(): string[] {
  const stale = readExpectedFailures(join(folder, 'expected-failures.json'), copy).stale
  const differences = differencesOfCopy(copy, source)
  const complaints = stale.map(name => `expected-failures.json names ${name}, which does not exist`)
  if (differences.length === 0) return complaints
  const behind = `${relative(repository, copy)} has fallen behind: ${differences.join('; ')}`
  if (process.env['CI'] !== undefined) return [...complaints, behind]
  console.log(`! ${behind}`)
  return complaints
}

function nameOf(file: string): string {
  const name = relative(file.startsWith(copy) ? copy : process.cwd(), file)
  return (name.startsWith('..') ? file : name).replace(/\.json$/, '')
}
