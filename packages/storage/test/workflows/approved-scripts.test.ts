import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openApprovedScripts, projectSlug, type ApprovedScripts } from '@tutti/storage'
import { createVirtualClock } from '@tutti/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let root: string
let file: string

const CWD = '/work/here'
const HASH = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)

beforeEach(() => {
  folder = temporaryFolder()
  root = join(folder.path, 'root')
  file = join(root, 'projects', projectSlug(CWD), 'approved-workflows.json')
})

afterEach(() => folder.remove())

function open(cwd: string = CWD): ApprovedScripts {
  return openApprovedScripts({ cwd, root, clock: createVirtualClock(1000) })
}

describe('approved scripts', () => {
  it('are those that were added, in this project only', async () => {
    const approved = open()
    expect(await approved.has(HASH)).toBe(false)
    expect(existsSync(root)).toBe(false)
    await approved.add(HASH, 'audit')
    expect(await approved.has(HASH)).toBe(true)
    expect(await open().has(HASH)).toBe(true)
    expect(await approved.has(OTHER)).toBe(false)
    expect(await open('/work/there').has(HASH)).toBe(false)
  })

  it('are in a file that only its owner can read', async () => {
    await open().add(HASH, 'audit')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      version: 1,
      scripts: { [HASH]: { name: 'audit', approvedAt: 1000 } },
    })
  })

  it('are all kept when many are added at once, up to a thousand', async () => {
    const approved = open()
    const hashes = Array.from({ length: 10 }, (_, n) => String(n).repeat(64))
    await Promise.all(hashes.map(hash => approved.add(hash, 'x')))
    for (const hash of hashes) expect(await approved.has(hash)).toBe(true)
    const many = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [
        n.toString(16).padStart(64, '0'),
        { name: 'x', approvedAt: n },
      ]),
    )
    await writeFile(file, JSON.stringify({ version: 1, scripts: many }))
    await approved.add(HASH, 'newest')
    const { scripts } = JSON.parse(await readFile(file, 'utf8')) as { scripts: object }
    expect(Object.keys(scripts)).toHaveLength(1000)
    expect(await approved.has(HASH)).toBe(true)
    expect(await approved.has('0'.repeat(64))).toBe(false)
  })

  it.each([
    ['no JSON', '{"version":1,'],
    ['another version', JSON.stringify({ version: 2, scripts: { [HASH]: { name: 'x', approvedAt: 1 } } })],
    ['no object', '[1]'],
    ['an entry of another kind', JSON.stringify({ version: 1, scripts: { [HASH]: true } })],
    ['a file that is too large', ' '.repeat(1024 * 1024 + 1)],
  ])('are none when the file has %s, and the next one is kept', async (_, text) => {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    const approved = open()
    expect(await approved.has(HASH)).toBe(false)
    await approved.add(OTHER, 'x')
    expect(await approved.has(OTHER)).toBe(true)
  })

  it('are neither read nor written through a symbolic link', async () => {
    const elsewhere = join(folder.path, 'elsewhere.json')
    await open().add(HASH, 'x')
    await writeFile(elsewhere, await readFile(file, 'utf8'))
    await mkdir(join(root, 'projects', projectSlug('/other')), { recursive: true })
    await symlink(elsewhere, join(root, 'projects', projectSlug('/other'), 'approved-workflows.json'))
    const linked = open('/other')
    expect(await linked.has(HASH)).toBe(false)
    await expect(linked.add(OTHER, 'x')).rejects.toThrow('symbolic link')
    expect(await readFile(elsewhere, 'utf8')).not.toContain(OTHER)
  })

  it('that cannot be written are an error, and the next attempt is a new one', async () => {
    await mkdir(root, { recursive: true })
    await writeFile(join(root, 'projects'), 'in the way')
    const approved = open()
    await expect(approved.add(HASH, 'x')).rejects.toMatchObject({ code: 'journal-write-failed' })
    await expect(approved.add(HASH, 'x')).rejects.toMatchObject({ code: 'journal-write-failed' })
  })
})
