import { appendFile, mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openSessionFiles, type SessionFiles } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const A = '00000000-0000-4000-8000-00000000000a'
const B = '00000000-0000-4000-8000-00000000000b'

let folder: ReturnType<typeof temporaryFolder>
let root: string
let files: SessionFiles
beforeEach(() => {
  folder = temporaryFolder()
  root = join(folder.path, 'config')
  files = openSessionFiles({ cwd: '/some/project', root })
})
afterEach(() => folder.remove())

describe('a transcript of a session', () => {
  it('stands beside the folder of its session, for its owner only', async () => {
    await using file = disposable(await files.create(A))
    await file.append('{"a":1}\n')
    const path = join(root, 'projects', '-some-project', `${A}.jsonl`)
    expect(files.path(A)).toBe(path)
    expect(await readFile(path, 'utf8')).toBe('{"a":1}\n')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  })

  it('is made once', async () => {
    expect(await files.exists(A)).toBe(false)
    await (await files.create(A)).close()
    expect(await files.exists(A)).toBe(true)
    await expect(files.create(A)).rejects.toMatchObject({ code: 'option-invalid' })
  })

  it('goes on behind what is there', async () => {
    const first = await files.create(A)
    await first.append('{"a":1}\n')
    await first.close()
    const second = await files.open(A)
    await second.append('{"a":2}\n')
    await second.sync()
    await second.close()
    expect(await files.read(A)).toBe('{"a":1}\n{"a":2}\n')
  })

  it('goes on in a new line where a killed writer left half a line', async () => {
    await (await files.create(A)).close()
    await appendFile(files.path(A), '{"a":1}\n{"b":')
    const file = await files.open(A)
    await file.append('{"a":2}\n')
    await file.close()
    expect(await files.read(A)).toBe('{"a":1}\n{"b":\n{"a":2}\n')
  })

  it('is written by one process at a time, and the other one is told by whom', async () => {
    const lease = await files.lease(A)
    await expect(files.lease(A)).rejects.toMatchObject({
      code: 'run-is-owned',
      message: expect.stringContaining(`in use by process ${process.pid} on `),
      hint: expect.stringContaining(`--resume ${A} --fork-session`),
    })
    await (await files.lease(B)).release()
    await lease.release()
    await (await files.lease(A)).release()
  })

  it('that a dead process wrote can be written again', async () => {
    const lease = await files.lease(A)
    const lock = files.path(A).replace('.jsonl', '.lock')
    const content = JSON.parse(await readFile(lock, 'utf8')) as { pid: number }
    await lease.release()
    await writeFile(lock, JSON.stringify({ ...content, pid: 2 ** 22 + 1 }))
    await (await files.lease(A)).release()
  })

  it('is undefined when it is not there, and cannot be opened', async () => {
    expect(await files.read(A)).toBeUndefined()
    expect(await files.beginning(A)).toBe('')
    await expect(files.open(A)).rejects.toMatchObject({ code: 'journal-write-failed' })
  })

  it('is not reached through a symbolic link', async () => {
    const elsewhere = join(folder.path, 'elsewhere')
    await writeFile(elsewhere, 'untouched')
    await mkdir(dirname(files.path(A)), { recursive: true })
    await symlink(elsewhere, files.path(A))
    await expect(files.create(A)).rejects.toMatchObject({ code: 'option-invalid' })
    await expect(files.open(A)).rejects.toThrow(/symbolic link/)
    await expect(files.read(A)).rejects.toThrow(/symbolic link/)
    expect(await files.beginning(A)).toBe('')
    expect(await readFile(elsewhere, 'utf8')).toBe('untouched')
  })

  it('is not made, opened or read in a folder that is a symbolic link', async () => {
    const elsewhere = join(folder.path, 'elsewhere')
    await mkdir(elsewhere)
    await mkdir(join(root, 'projects'), { recursive: true })
    await symlink(elsewhere, join(root, 'projects', '-some-project'))
    await expect(files.create(A)).rejects.toThrow(/symbolic link/)
    await writeFile(join(elsewhere, `${A}.jsonl`), 'untouched')
    await expect(files.open(A)).rejects.toThrow(/symbolic link/)
    await expect(files.read(A)).rejects.toThrow(/symbolic link/)
    expect(await readFile(join(elsewhere, `${A}.jsonl`), 'utf8')).toBe('untouched')
  })

  it.each(['../x', 'x', A.toUpperCase(), `${A}/..`])('has no place for the id %s', id => {
    expect(() => files.path(id)).toThrow(/not a valid session id/)
  })
})

describe('the list of them', () => {
  it('is empty where there is nothing', async () => {
    expect(await files.list()).toEqual([])
  })

  it('has the one last written first, and nothing else', async () => {
    for (const id of [A, B]) await (await files.create(id)).close()
    await utimes(files.path(A), 20, 20)
    await utimes(files.path(B), 10, 10)
    await writeFile(join(dirname(files.path(A)), 'notes.jsonl'), '')
    await mkdir(join(dirname(files.path(A)), '00000000-0000-4000-8000-00000000000c.jsonl'))
    expect(await files.list()).toEqual([
      { sessionId: A, path: files.path(A), modifiedAt: 20_000 },
      { sessionId: B, path: files.path(B), modifiedAt: 10_000 },
    ])
  })
})

function disposable<T extends { close(): Promise<void> }>(file: T): T & AsyncDisposable {
  return Object.assign(file, { [Symbol.asyncDispose]: () => file.close() })
}
