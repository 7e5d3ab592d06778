import { createInterface } from 'node:readline'
import type { RunWriter } from '@tutti/runtime'
import { openStore } from '../../src/open-store.ts'
import { launchedEntry, resultEntry, sampleCreation } from '../../src/conformance/samples.ts'

// A process of its own that works on a store as it is told on stdin, one command a line, and answers with
// one JSON line each.

interface Command {
  do: 'create' | 'open' | 'append' | 'stream' | 'close'
  runId: string
}

const options = JSON.parse(process.argv[2] ?? '{}') as Parameters<typeof openStore>[0]
const store = openStore(options)
let writer: RunWriter | undefined
let next = 1

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

async function open(runId: string): Promise<unknown> {
  const opened = await store.open(runId)
  writer = opened.writer
  next = opened.run.journal.filter(line => line.type === 'result').length + 1
  return { fence: writer.fence, lines: opened.run.journal.length, damaged: opened.run.damaged.length }
}

async function act(command: Command): Promise<unknown> {
  if (command.do === 'open') return open(command.runId)
  if (command.do === 'create') {
    writer = await store.create(sampleCreation(command.runId))
    await writer.append(1, launchedEntry(command.runId))
    return { fence: writer.fence }
  }
  if (!writer) throw new Error('no run is open')
  if (command.do === 'append') await writer.append(1, resultEntry(next++))
  if (command.do === 'close') await writer.close()
  // Says each number when its line is durable, until it is killed.
  if (command.do === 'stream')
    for (;;) say({ durable: next, done: await writer.append(1, resultEntry(next++)) })
  return { lost: writer.lost.aborted }
}

async function answer(line: string): Promise<void> {
  try {
    say(await act(JSON.parse(line) as Command))
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    say({ code, message })
  }
}

createInterface({ input: process.stdin }).on('line', line => void answer(line))
