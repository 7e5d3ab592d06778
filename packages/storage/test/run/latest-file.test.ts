import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDisk } from '../../src/files/file-system.ts'
import { latestFile, type LatestFile } from '../../src/run/latest-file.ts'
import { failingFileSystem, type FailingFileSystem } from '../support/failing-file-system.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let fileSystem: FailingFileSystem
let path: string
let file: LatestFile

beforeEach(() => {
  folder = temporaryFolder()
  fileSystem = failingFileSystem()
  path = join(folder.path, 'file.json')
  file = latestFile(createDisk({ fileSystem }), path, async () => {})
})

afterEach(() => folder.remove())

it('leaves out texts that were overtaken, without making them', async () => {
  const made: number[] = []
  const calls = [1, 2, 3, 4].map(n =>
    file.write(() => {
      made.push(n)
      return String(n)
    }),
  )
  await Promise.all(calls)
  expect(made).toEqual([1, 4])
  expect(readFileSync(path, 'utf8')).toBe('4')
})

it('resolves when a text at least as new is on disk', async () => {
  const first = file.write(() => '1')
  const second = file.write(() => '2')
  await first
  expect(readFileSync(path, 'utf8')).toBe('1')
  await second
  expect(readFileSync(path, 'utf8')).toBe('2')
})

it('tells everybody who waited for a write that failed, and goes on with the next', async () => {
  fileSystem.fault = step => (step.startsWith('rename') ? { code: 'ENOSPC' } : undefined)
  const results = await Promise.allSettled([
    file.write(() => '1'),
    file.write(() => '2'),
    file.write(() => '3'),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  fileSystem.fault = () => undefined
  await file.write(() => '4')
  await file.idle()
  expect(readFileSync(path, 'utf8')).toBe('4')
})
