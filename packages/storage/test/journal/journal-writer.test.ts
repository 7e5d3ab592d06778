import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { JournalError } from '@tutti/runtime'
import { createJournal } from '../../src/journal/journal-file.ts'
import { JournalWriter } from '../../src/journal/journal-writer.ts'
import { failingFileSystem, type FailingFileSystem } from '../support/failing-file-system.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let disk: FailingFileSystem
let failures: Error[]
let path: string
let opened: JournalWriter | undefined

beforeEach(() => {
  folder = temporaryFolder()
  disk = failingFileSystem()
  failures = []
  path = `${folder.path}/run.journal.jsonl`
})

afterEach(async () => {
  disk.fault = () => undefined
  await opened?.close()
  await folder.remove()
})

async function openWriter(ensureHeld: () => Promise<void> = async () => {}): Promise<JournalWriter> {
  const handle = await createJournal(disk, path)
  disk.steps.length = 0
  opened = new JournalWriter({ handle, path, size: 0, ensureHeld, onFailed: reason => failures.push(reason) })
  return opened
}

function stepsOf(name: string): number {
  return disk.steps.filter(step => step.startsWith(`${name} `)).length
}

it('writes all lines of one moment with one write and one sync', async () => {
  const writer = await openWriter()
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => writer.append(`line ${n}\n`)))
  expect([stepsOf('write'), stepsOf('datasync')]).toEqual([1, 1])
  expect(readFileSync(path, 'utf8').split('\n').length).toBe(1_001)
})

it('gathers what is appended during a sync into the next one', async () => {
  const writer = await openWriter()
  const first = writer.append('a\n')
  let release = (): void => {}
  const held = new Promise<undefined>(resolve => {
    release = () => resolve(undefined)
  })
  const second: Promise<void>[] = []
  disk.fault = step => {
    // The moment of the first sync.
    if (step.startsWith('datasync') && second.length === 0) {
      second.push(writer.append('b\n'), writer.append('c\n'))
      release()
    }
    return undefined
  }
  await Promise.all([first, held])
  await Promise.all(second)
  expect(stepsOf('datasync')).toBe(2)
  expect(readFileSync(path, 'utf8')).toBe('a\nb\nc\n')
})

it('does not sync for lines that nobody waits for, but writes them', async () => {
  const writer = await openWriter()
  let written = (): void => {}
  const write = new Promise<void>(resolve => {
    written = resolve
  })
  disk.fault = step => {
    if (step.startsWith('write')) setImmediate(written)
    return undefined
  }
  writer.appendLater('started\n')
  await write
  expect(stepsOf('datasync')).toBe(0)
  await writer.close()
  expect(stepsOf('datasync')).toBe(1)
  expect(readFileSync(path, 'utf8')).toBe('started\n')
})

for (const [code, advice] of [
  ['ENOSPC', 'disk is full'],
  ['EIO', 'write failed'],
  ['EROFS', 'read-only'],
] as const) {
  it(`rejects everything that waits when a write ends with ${code}, and keeps what was written before`, async () => {
    const writer = await openWriter()
    await writer.append('kept\n')
    disk.fault = step => (step.startsWith('write') ? { code } : undefined)
    const results = await Promise.allSettled([writer.append('b\n'), writer.append('c\n')])
    for (const result of results) {
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(JournalError)
      expect(result).toMatchObject({ reason: { code: 'journal-write-failed' } })
      expect(result.status === 'rejected' && String(result.reason)).toContain(path)
      expect(result.status === 'rejected' && String(result.reason)).toContain(advice)
    }
    expect(failures.length).toBe(1)
    disk.fault = () => undefined
    await expect(writer.append('d\n')).rejects.toBe(failures[0])
    writer.appendLater('e\n')
    await writer.close()
    expect(readFileSync(path, 'utf8')).toBe('kept\n')
  })
}

it('cuts back to the last whole line when a write breaks off in the middle', async () => {
  const writer = await openWriter()
  await writer.append('kept\n')
  let writes = 0
  disk.fault = step => {
    if (!step.startsWith('write')) return undefined
    return writes++ === 0 ? { code: 'ENOSPC', short: true } : { code: 'ENOSPC' }
  }
  const lines = ['first\n', 'second line which is cut\n'].map(line => writer.append(line))
  const results = await Promise.allSettled(lines)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(readFileSync(path, 'utf8')).toBe('kept\nfirst\n')
})

it('goes on after a short write that is no error', async () => {
  const writer = await openWriter()
  let writes = 0
  disk.fault = step => (step.startsWith('write') && writes++ < 3 ? { code: '', short: true } : undefined)
  await writer.append('a line of some length\n')
  expect(readFileSync(path, 'utf8')).toBe('a line of some length\n')
  expect(failures).toEqual([])
})

it('counts a failed sync as a failure', async () => {
  const writer = await openWriter()
  disk.fault = step => (step.startsWith('datasync') ? { code: 'EIO' } : undefined)
  await expect(writer.append('a\n')).rejects.toMatchObject({ code: 'journal-write-failed' })
  expect(failures.length).toBe(1)
})

it('notices that its folder was removed', async () => {
  const writer = await openWriter()
  await writer.append('a\n')
  await folder.remove()
  await expect(writer.append('b\n')).rejects.toThrow(/its folder is gone/)
})

it('writes nothing once the lease is lost', async () => {
  let lost = false
  const writer = await openWriter(async () => {
    if (lost) throw new Error('lost')
  })
  await writer.append('a\n')
  lost = true
  await expect(writer.append('b\n')).rejects.toThrow()
  expect(readFileSync(path, 'utf8')).toBe('a\n')
})

it('rejects a batch that the loss of the lease overtook', async () => {
  const writer = await openWriter()
  const reason = new Error('taken over')
  disk.fault = step => {
    if (step.startsWith('write')) writer.fail(reason)
    return undefined
  }
  await expect(writer.append('a\n')).rejects.toBe(reason)
  await expect(writer.append('b\n')).rejects.toBe(reason)
})
