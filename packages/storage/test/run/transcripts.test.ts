import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDisk } from '../../src/files/file-system.ts'
import { runPaths, type RunPaths } from '../../src/layout.ts'
import { openTranscripts } from '../../src/run/transcripts.ts'
import { failingFileSystem } from '../support/failing-file-system.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let paths: RunPaths

beforeEach(async () => {
  folder = temporaryFolder()
  const sessionDirectory = join(folder.path, 'session')
  await mkdir(sessionDirectory)
  paths = runPaths({ sessionDirectory, runId: 'wf_0a1b2c3d-4e5', layout: 'session' })
})

afterEach(() => folder.remove())

function id(n: number): string {
  return `a${n.toString(16).padStart(16, '0')}`
}

function linesOf(n: number): unknown[] {
  const text = readFileSync(join(paths.transcripts, `agent-${id(n)}.jsonl`), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as unknown)
}

it('keeps the order of the lines of each, whoever writes when', async () => {
  const transcripts = openTranscripts(createDisk(), paths)
  const sinks = Array.from({ length: 20 }, (_, n) => transcripts.open(id(n), { label: `agent ${n}` }))
  for (let line = 0; line < 50; line++) {
    for (const sink of sinks) sink.write({ line })
    if (line % 10 === 0) await new Promise(resolve => setImmediate(resolve))
  }
  await transcripts.close()
  const expected = Array.from({ length: 50 }, (_, line) => ({ line }))
  for (let n = 0; n < 20; n++) expect(linesOf(n)).toEqual(expected)
  const meta = readFileSync(join(paths.transcripts, `agent-${id(3)}.meta.json`), 'utf8')
  expect(JSON.parse(meta)).toEqual({ label: 'agent 3' })
})

it('writes many lines of one moment at once', async () => {
  const fileSystem = failingFileSystem()
  const transcripts = openTranscripts(createDisk({ fileSystem }), paths)
  const sink = transcripts.open(id(1), {})
  for (let line = 0; line < 1_000; line++) sink.write({ line })
  await transcripts.close()
  expect(fileSystem.steps.filter(step => step.includes('write')).length).toBe(2)
})

it('never has more files open than it may', async () => {
  const fileSystem = failingFileSystem()
  let open = 0
  let most = 0
  const transcripts = openTranscripts(
    createDisk({
      fileSystem: {
        ...fileSystem,
        open: async (path, flags, mode) => {
          most = Math.max(most, ++open)
          const handle = await fileSystem.open(path, flags, mode)
          const close = handle.close.bind(handle)
          handle.close = async () => {
            open--
            await close()
          }
          return handle
        },
      },
    }),
    paths,
    { openFiles: 3, pendingBytes: 1_000_000 },
  )
  for (let n = 0; n < 100; n++) transcripts.open(id(n), {}).write({ n })
  await transcripts.close()
  // One more for making the directory durable.
  expect(most).toBeLessThanOrEqual(4)
  expect(open).toBe(0)
})

it('notes a gap when the disk is too slow, instead of filling the memory', async () => {
  const transcripts = openTranscripts(createDisk(), paths, { openFiles: 1, pendingBytes: 40 })
  const sink = transcripts.open(id(1), {})
  for (let line = 0; line < 10; line++) sink.write({ line })
  await transcripts.close()
  expect(linesOf(1)).toEqual([{ line: 0 }, { line: 1 }, { line: 2 }, { type: 'transcript_gap', dropped: 7 }])
})
