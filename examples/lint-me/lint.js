// node lint.js [file…]: exported functions have a comment above them, and nothing is left to do. For the workflow
// fix-lint.js: a check without any dependency.
import { readdirSync, readFileSync } from 'node:fs'

const given = process.argv.slice(2)
const files = given.length > 0 ? given : readdirSync('src').map(name => `src/${name}`)
const problems = files.flatMap(problemsOf)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function problemsOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, i) => {
    const bare = line.startsWith('export function') && !/^(\/\/| \*\/|\/\*\*)/.test(lines[i - 1] ?? '')
    const found = [
      bare && 'an exported function without a comment',
      /TODO/.test(line) && 'something left to do',
    ]
    return found.filter(Boolean).map(problem => `${file}:${i + 1}: ${problem}`)
  })
}
