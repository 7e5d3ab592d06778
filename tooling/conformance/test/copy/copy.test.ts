import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { differencesOfCopy } from '../../src/copy/compare-copy.ts'
import { readExpectedFailures } from '../../src/copy/expected-failures.ts'

const folder = mkdtempSync(join(tmpdir(), 'copy-'))
const [copy, source, list] = ['copy', 'source', 'list.json'].map(name => join(folder, name)) as [
  string,
  string,
  string,
]
afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(() => {
  for (const place of [copy, source]) {
    rmSync(place, { recursive: true, force: true })
    mkdirSync(join(place, 'a'), { recursive: true })
    writeFileSync(join(place, 'a/one.json'), '1')
  }
})

describe('differencesOfCopy', () => {
  it('finds none in an equal copy, nor when the source is not there', () => {
    expect(differencesOfCopy(copy, source)).toEqual([])
    expect(differencesOfCopy(copy, join(folder, 'nowhere'))).toEqual([])
  })

  it('names files that were added, changed and removed', () => {
    writeFileSync(join(source, 'a/one.json'), '2')
    writeFileSync(join(source, 'new.json'), '')
    writeFileSync(join(copy, 'a/old.json'), '')
    expect(differencesOfCopy(copy, source)).toEqual([
      'a/old.json is no longer there',
      'a/one.json has changed',
      'new.json is missing',
    ])
  })
})

describe('readExpectedFailures', () => {
  it('knows the reasons of cases of the copy only', () => {
    writeFileSync(list, '{"a/one.json":"because"}')
    const failures = readExpectedFailures(list, copy)
    expect(failures.reasonOf(join(copy, 'a/one.json'))).toBe('because')
    expect(failures.reasonOf(join(source, 'a/one.json'))).toBeUndefined()
    expect(failures.stale).toEqual([])
  })

  it('names entries without a case', () => {
    writeFileSync(list, '{"a/two.json":"because"}')
    expect(readExpectedFailures(list, copy).stale).toEqual(['a/two.json'])
  })

  it('refuses an entry without a reason', () => {
    writeFileSync(list, '{"a/one.json":""}')
    expect(() => readExpectedFailures(list, copy)).toThrow('from paths to reasons')
  })
})
