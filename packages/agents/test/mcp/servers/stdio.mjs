import { createInterface } from 'node:readline'
import { answerTo } from './answers.mjs'

if (process.argv[2] === 'broken') {
  process.stderr.write('cannot find the database\n')
  process.exit(3)
}
for await (const line of createInterface({ input: process.stdin })) {
  void answerTo(JSON.parse(line)).then(
    answer => answer && process.stdout.write(`${JSON.stringify(answer)}\n`),
  )
}
