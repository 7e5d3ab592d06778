import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { editTool } from '../../src/tools/edit.ts'
import { readTool } from '../../src/tools/read.ts'
import { writeTool } from '../../src/tools/write.ts'
import { projectWith } from './project.ts'

describe('Read', () => {
  test('shows numbered lines, from an offset as well', async () => {
    await using project = await projectWith({ 'a.txt': 'one\ntwo\r\nthree\n' })
    const all = await project.use(readTool, { file_path: 'a.txt' })
    expect(all.text).toBe('     1→one\n     2→two\n     3→three')
    const second = await project.use(readTool, { file_path: project.path('a.txt'), offset: 2, limit: 1 })
    expect(second.text).toBe('     2→two\n[1 more lines; read on with offset 3]')
  })

  test('cuts long lines and long files, and says where to go on', async () => {
    await using project = await projectWith({ long: `${'x'.repeat(5000)}\n${'y\n'.repeat(3000)}` })
    const { text } = await project.use(readTool, { file_path: 'long' })
    expect(text).toContain('… [line cut]')
    expect(text).toMatch(/\[1001 more lines; read on with offset 2001\]$/)
  })

  test.each([
    ['missing', 'does not exist'],
    ['folder', 'is a directory'],
    ['binary', 'not a text file'],
    ['pipe', 'not a regular file'],
  ])('refuses what is no text file: %s', async (name, why) => {
    await using project = await projectWith({ 'folder/x': '', binary: 'a\0b' })
    execFileSync('sh', ['-c', 'mkfifo "$0"', project.path('pipe')])
    const { text, failed } = await project.use(readTool, { file_path: name })
    expect(failed).toBe(true)
    expect(text).toContain(why)
  })

  test('an offset beyond the end and an empty file are told', async () => {
    await using project = await projectWith({ short: 'x', empty: '' })
    expect((await project.use(readTool, { file_path: 'short', offset: 9 })).text).toContain('only 1 lines')
    expect((await project.use(readTool, { file_path: 'empty' })).text).toBe('empty is empty.')
  })

  test('input of the wrong kind is told by field', async () => {
    await using project = await projectWith()
    const { text } = await project.use(readTool, { file_path: 7 })
    expect(text).toMatch(/does not fit Read: file_path/)
  })
})

describe('the project is not left', () => {
  test.each([
    ['../x'],
    ['/etc/passwd'],
    ['link-out/passwd'],
    ['link-file'],
    ['folder/../../x'],
    ['dangling'],
    ['nul\0'],
  ])('by %j', async path => {
    await using project = await projectWith({ 'folder/x': '' })
    await symlink('/etc', project.path('link-out'))
    await symlink('/etc/passwd', project.path('link-file'))
    await symlink(join(tmpdir(), 'not-there-yet'), project.path('dangling'))
    for (const tool of [readTool, writeTool, editTool]) {
      const input = { file_path: path, content: 'x', old_string: '', new_string: 'x' }
      const { failed, text } = await project.use(tool, input)
      expect(failed).toBe(true)
      expect(text).toMatch(/outside of the project|leads nowhere|null character/)
    }
  })

  test('a link within it may be followed', async () => {
    await using project = await projectWith({ 'folder/x': 'here' })
    await symlink(project.path('folder'), project.path('alias'))
    expect(await project.wish(readTool, { file_path: 'alias/x' })).toEqual({
      kind: 'read',
      path: project.path('folder/x'),
    })
  })
})

describe('Write', () => {
  test('makes a file with its folders', async () => {
    await using project = await projectWith()
    const { text } = await project.use(writeTool, { file_path: 'a/b/c.txt', content: 'new' })
    expect(text).toBe('Created a/b/c.txt.')
    expect(await readFile(project.path('a/b/c.txt'), 'utf8')).toBe('new')
  })

  test('replaces a file only after it was read, and keeps its mode', async () => {
    await using project = await projectWith({ 'run.sh': 'old' })
    await chmod(project.path('run.sh'), 0o755)
    const input = { file_path: 'run.sh', content: 'new' }
    expect((await project.use(writeTool, input)).text).toContain('was not read yet')
    await project.use(readTool, { file_path: 'run.sh' })
    expect((await project.use(writeTool, input)).text).toBe('Replaced run.sh.')
    expect((await stat(project.path('run.sh'))).mode & 0o777).toBe(0o755)
    expect((await project.use(writeTool, { ...input, content: 'newer' })).failed).toBeUndefined()
  })

  test('a file that changed since it was read is read anew first', async () => {
    await using project = await projectWith({ a: 'old' })
    await project.use(readTool, { file_path: 'a' })
    await writeFile(project.path('a'), 'odd')
    await utimes(project.path('a'), 1, 1)
    const { text } = await project.use(writeTool, { file_path: 'a', content: 'x' })
    expect(text).toContain('has changed since it was read')
    expect(await readFile(project.path('a'), 'utf8')).toBe('odd')
  })

  test('a directory cannot be replaced', async () => {
    await using project = await projectWith()
    await mkdir(project.path('d'))
    expect((await project.use(writeTool, { file_path: 'd', content: '' })).text).toContain(
      'not a regular file',
    )
    expect((await project.use(writeTool, { file_path: '.', content: '' })).failed).toBe(true)
  })
})

describe('Edit', () => {
  async function edited(text: string, change: Record<string, string | boolean>): Promise<[string, string]> {
    await using project = await projectWith({ f: text })
    await project.use(readTool, { file_path: 'f' })
    const result = await project.use(editTool, { file_path: 'f', ...change })
    return [result.text, await readFile(project.path('f'), 'utf8')]
  }

  test('replaces a text that stands once, whatever is special in it', async () => {
    const change = { old_string: 'b.', new_string: '$&$1' }
    expect(await edited('a\nb.\nbc', change)).toEqual(['Replaced 1 in f.', 'a\n$&$1\nbc'])
  })

  test('a text that stands more than once needs replace_all', async () => {
    const change = { old_string: 'a', new_string: 'b' }
    expect(await edited('a a', change)).toEqual([expect.stringContaining('stands 2 times'), 'a a'])
    expect(await edited('a a', { ...change, replace_all: true })).toEqual(['Replaced 2 in f.', 'b b'])
  })

  test('line ends of the file are kept', async () => {
    const change = { old_string: 'a\nb', new_string: 'c\nd' }
    expect((await edited('a\r\nb\r\n', change))[1]).toBe('c\r\nd\r\n')
  })

  test.each([
    [{ old_string: 'zzz', new_string: '' }, 'does not stand in f'],
    [{ old_string: 'a', new_string: 'a' }, 'nothing would change'],
    [{ old_string: '', new_string: 'x' }, 'must be the text to replace'],
  ])('refuses %j', async (change, why) => {
    expect(await edited('a', change)).toEqual([expect.stringContaining(why), 'a'])
  })

  test('an empty text makes a new file; an unread one is refused', async () => {
    await using project = await projectWith({ known: 'a' })
    const change = { old_string: '', new_string: 'x' }
    expect((await project.use(editTool, { file_path: 'new', ...change })).text).toBe('Created new.')
    const unread = await project.use(editTool, { file_path: 'known', old_string: 'a', new_string: 'b' })
    expect(unread.text).toContain('was not read yet')
    const missing = await project.use(editTool, { file_path: 'no', old_string: 'a', new_string: 'b' })
    expect(missing.text).toContain('does not exist')
  })
})
