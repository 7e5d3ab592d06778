import { createInterface } from 'node:readline'
import { answerTo } from './answers.mjs'

if (process.argv[2] === 'broken') {
  process.stderr.write('cannot find the database\n')
  process.exit(3)
}
if (process.argv[2] === 'odd') process.stdout.write('{"odd":1}\nno json\n')
if (process.argv[2] === 'long')
  process.stdin.on('data', data => {
    if (data.includes('tools/call')) process.stdout.write('x'.repeat(11 * 1024 * 1024))
  })
for await (const line of createInterface({ input: process.stdin })) {
  void answerTo(JSON.parse(line)).then(
    answer => answer && process.stdout.write(`${JSON.stringify(answer)}\n`),
  )
}
