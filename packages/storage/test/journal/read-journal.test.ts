import { readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fc, test } from '@fast-check/vitest'
import type { JournalEntry } from '@tutti/protocol'
import { encodeLine } from '../../src/journal/encode-line.ts'
import { loadJournal, openJournal } from '../../src/journal/journal-file.ts'
import { journalReader, type JournalContent } from '../../src/journal/read-journal.ts'
import { splitLines } from '../../src/journal/split-lines.ts'
import { deliveredEntry, launchedEntry, resultEntry, startedEntry } from '../../src/conformance/samples.ts'
import { failingFileSystem } from '../support/failing-file-system.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// The disk, not the clock, decides how long these take.
vi.setConfig({ testTimeout: 60_000 })

const RUN = 'wf_0a1b2c3d-4e5'
let folder: ReturnType<typeof temporaryFolder>
let path: string

beforeEach(() => {
  folder = temporaryFolder()
  path = `${folder.path}/journal.jsonl`
})

afterEach(() => folder.remove())

function lines(entries: JournalEntry[], fence = 1): string[] {
  return entries.map((entry, at) => encodeLine(entry, { seq: at + 1, attempt: 1, fence }))
}

async function read(text: string | Uint8Array): Promise<JournalContent> {
  await writeFile(path, text)
  const content = await loadJournal(failingFileSystem(), path)
  if (!content) throw new Error('no journal')
  return content
}

it('puts the type and the stamp first, so that lines can be read by people', () => {
  expect(lines([deliveredEntry(7)])[0]).toMatch(
    /^\{"type":"delivered","seq":1,"attempt":1,"fence":1,"key":"v2:/,
  )
})

it('is undefined for a journal that is missing', async () => {
  expect(await loadJournal(failingFileSystem(), path)).toBeUndefined()
  expect(await openJournal(failingFileSystem(), path)).toBeUndefined()
})

it('reports a torn last line, and cuts it off when it is opened for writing', async () => {
  const [first = '', second = ''] = lines([launchedEntry(RUN), resultEntry(1)])
  const content = await read(first + second.slice(0, 40))
  expect(content.lines.length).toBe(1)
  expect(content.tornBytes).toBe(40)
  expect((await readFile(path, 'utf8')).length).toBe(first.length + 40)
  const opened = await openJournal(failingFileSystem(), path)
  expect(opened?.content.tornBytes).toBe(40)
  await opened?.handle.close()
  expect(await readFile(path, 'utf8')).toBe(first)
})

it.each([
  ['not JSON', '{"type":"result"'],
  ['no object', '[1,2]'],
  ['without a number', '{"type":"delivered","attempt":1,"fence":1}'],
  ['without a type', '{"seq":1,"attempt":1,"fence":1}'],
  [
    'a result without a value',
    lines([resultEntry(1)])[0]!
      .replace('"result":"Result 1",', '')
      .trimEnd(),
  ],
  [
    'a result with a garbled field',
    lines([resultEntry(1)])[0]!
      .replace('"key"', '"kez"')
      .trimEnd(),
  ],
  ['empty', ''],
  ['zeros', '\0\0\0\0'],
])('reports a damaged line with its number and reads on: %s', async (_, damaged) => {
  const [first, second] = lines([launchedEntry(RUN), resultEntry(2)])
  const content = await read(`${first}${damaged}\n${second}`)
  expect(content.damaged.map(({ line }) => line)).toEqual([2])
  expect(content.lines.map(({ type }) => type)).toEqual(['launched', 'result'])
  expect(content.tornBytes).toBe(0)
})

it('reports a line that is not UTF-8', async () => {
  const bytes = Buffer.from(lines([resultEntry(1)]).join(''))
  bytes[bytes.indexOf('Result')] = 0xff
  const content = await read(bytes)
  expect(content.damaged).toEqual([{ line: 1, reason: 'it is not UTF-8' }])
})

it('ignores lines of a fence lower than one seen before', async () => {
  const old = lines([resultEntry(1)], 1)[0]
  const fresh = encodeLine(launchedEntry(RUN), { seq: 1, attempt: 2, fence: 2 })
  const zombie = encodeLine(resultEntry(2), { seq: 2, attempt: 1, fence: 1 })
  const content = await read(`${old}${fresh}${zombie}`)
  expect(content.lines.map(({ type }) => type)).toEqual(['result', 'launched'])
  expect(content.damaged).toEqual([])
  expect(content.highestFence).toBe(2)
})

it('tolerates types it does not know and counts their numbers', async () => {
  const unknown = '{"type":"checkpoint","seq":9,"attempt":1,"fence":3,"x":1}\n'
  const content = await read(lines([launchedEntry(RUN)]).join('') + unknown)
  expect(content.lines.map(({ type }) => type)).toEqual(['launched'])
  expect([content.lastSeq, content.highestFence, content.damaged]).toEqual([9, 3, []])
})

it('refuses a journal of a newer version with advice', async () => {
  const text = lines([launchedEntry(RUN, { schemaVersion: 99 })]).join('')
  await expect(read(text)).rejects.toMatchObject({
    code: 'journal-newer',
    message: expect.stringContaining('99'),
  })
  await expect(openJournal(failingFileSystem(), path)).rejects.toMatchObject({ code: 'journal-newer' })
})

it('reads lines longer than a chunk', async () => {
  const long = resultEntry(1, 'x'.repeat(3 * 1024 * 1024))
  const content = await read(lines([startedEntry(1), long, startedEntry(2)]).join(''))
  expect(content.lines.map(({ type }) => type)).toEqual(['started', 'result', 'started'])
})

it('does not keep a line that is longer than it may be', () => {
  const seen: (string | undefined)[] = []
  const splitter = splitLines(line => seen.push(line && Buffer.from(line).toString()), 4)
  for (const chunk of ['ab', 'cd', 'e\nabc', 'd\nx']) splitter.push(Buffer.from(chunk))
  expect(seen).toEqual([undefined, 'abcd'])
  expect(splitter.tornBytes).toBe(1)
})

describe('whatever was written', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const entry: fc.Arbitrary<JournalEntry> = fc.oneof(
    fc.nat(50).map(startedEntry),
    fc.tuple(fc.nat(50), fc.jsonValue()).map(([n, value]) => resultEntry(n, value as never)),
    fc.tuple(fc.nat(50), text).map(([n, value]) => resultEntry(n, value)),
    fc.nat(50).map(deliveredEntry),
    text.map(name => ({ type: 'timer', name, delayMs: 1 }) as const),
  )

  function readAll(bytes: Uint8Array, chunkSize = bytes.length + 1): JournalContent {
    const reader = journalReader(path)
    for (let at = 0; at < bytes.length; at += chunkSize) reader.push(bytes.subarray(at, at + chunkSize))
    return reader.end()
  }

  test.prop([fc.array(entry, { maxLength: 20 }), fc.integer({ min: 1, max: 64 })])(
    'comes back the same, in chunks of any size',
    (entries, chunkSize) => {
      const bytes = Buffer.from(lines(entries).join(''))
      const expected = entries.map((value, at) => ({ ...value, seq: at + 1, attempt: 1, fence: 1 }))
      const content = readAll(bytes, chunkSize)
      expect(content.lines).toEqual(JSON.parse(JSON.stringify(expected)))
      expect([content.damaged, content.lastSeq]).toEqual([[], entries.length])
    },
  )

  test.prop([fc.array(entry, { minLength: 1, maxLength: 4 })], { numRuns: 20 })(
    'can be read at every byte prefix, and gone on with',
    entries => {
      const bytes = Buffer.from(lines(entries).join(''))
      for (let cut = 0; cut <= bytes.length; cut++) {
        const prefix = bytes.subarray(0, cut)
        const content = readAll(prefix)
        const whole = prefix.filter(byte => byte === 0x0a).length
        if (content.lines.length !== whole || content.damaged.length > 0)
          expect({ cut, content }).toBe('whole lines')
        if (content.wholeBytes + content.tornBytes !== cut) expect({ cut, content }).toBe('all bytes')
        const next = Buffer.from(lines([launchedEntry(RUN)]).join(''))
        const after = readAll(Buffer.concat([prefix.subarray(0, content.wholeBytes), next]))
        if (after.lines.length !== whole + 1) expect({ cut, after }).toBe('one line more')
      }
    },
  )
})
