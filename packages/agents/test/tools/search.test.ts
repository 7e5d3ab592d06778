import { symlink, utimes } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { globTool } from '../../src/tools/glob.ts'
import { grepTool } from '../../src/tools/grep.ts'
import { projectWith } from './project.ts'

const files = {
  'src/a.ts': 'const alpha = 1\nconst beta = 2\n',
  'src/deep/b.ts': 'export const ALPHA = 3\n',
  'notes.md': 'alpha: beta\n',
  '.gitignore': 'node_modules\n',
  '.git/HEAD': 'alpha',
  '.env': 'alpha=secret',
  'node_modules/x/i.ts': 'alpha',
}

describe('Glob', () => {
  test('finds files at any depth, the last changed first, without ignored ones', async () => {
    await using project = await projectWith(files)
    await utimes(project.path('src/a.ts'), 1000, 1000)
    await utimes(project.path('src/deep/b.ts'), 2000, 2000)
    expect((await project.use(globTool, { pattern: '*.ts' })).text).toBe('src/deep/b.ts\nsrc/a.ts')
    expect((await project.use(globTool, { pattern: 'src/*.ts' })).text).toBe('src/a.ts')
    expect((await project.use(globTool, { pattern: '*.ts', path: 'src/deep' })).text).toBe('src/deep/b.ts')
    expect((await project.use(globTool, { pattern: project.path('src/*') })).text).toBe('src/a.ts')
  })

  test('says so when nothing matches, and how many it left out', async () => {
    const many = Object.fromEntries(Array.from({ length: 103 }, (_, n) => [`m/${n}.js`, '']))
    await using project = await projectWith(many)
    expect((await project.use(globTool, { pattern: '*.py' })).text).toBe('No file matches.')
    const { text } = await project.use(globTool, { pattern: '*.js' })
    expect(text.split('\n')).toHaveLength(101)
    expect(text).toContain('[3 more files')
  })

  test.each([
    [{ pattern: '!*.ts' }],
    [{ pattern: '/etc/*' }],
    [{ pattern: '*', path: '/etc' }],
    [{ pattern: '*', path: 'notes.md' }],
  ])('refuses %j', async input => {
    await using project = await projectWith(files)
    expect((await project.use(globTool, input)).failed).toBe(true)
  })
})

describe('Grep', () => {
  test('names the files by default', async () => {
    await using project = await projectWith(files)
    expect((await project.use(grepTool, { pattern: 'alpha' })).text).toBe('.env\nnotes.md\nsrc/a.ts')
    expect((await project.use(grepTool, { pattern: 'alpha', '-i': true, type: 'ts' })).text).toBe(
      'src/a.ts\nsrc/deep/b.ts',
    )
  })

  test('shows lines with their places and surroundings', async () => {
    await using project = await projectWith(files)
    const input = { pattern: 'alpha', output_mode: 'content', glob: '*.ts' }
    expect((await project.use(grepTool, input)).text).toBe('src/a.ts:1:const alpha = 1')
    expect((await project.use(grepTool, { ...input, '-A': 1, '-n': false })).text).toBe(
      'src/a.ts:const alpha = 1\nsrc/a.ts:const beta = 2',
    )
  })

  test('counts, and shows a part of a long list', async () => {
    await using project = await projectWith(files)
    expect((await project.use(grepTool, { pattern: 'const', output_mode: 'count', path: 'src' })).text).toBe(
      'src/a.ts:2\nsrc/deep/b.ts:1',
    )
    const part = await project.use(grepTool, { pattern: 'alpha', head_limit: 1, offset: 1 })
    expect(part.text).toBe('notes.md\n[1 more; go on with offset 2]')
  })

  test('hidden files are shown neither by name nor by content', async () => {
    await using project = await projectWith(files)
    project.workplace.isHidden = path => path.endsWith('.env')
    for (const output_mode of ['content', 'files_with_matches', 'count'])
      expect((await project.use(grepTool, { pattern: 'alpha', output_mode })).text).not.toContain('.env')
    expect((await project.use(globTool, { pattern: '**' })).text).not.toContain('.env')
  })

  test('hidden files are hidden also with line ends in their names', async () => {
    await using project = await projectWith({
      'secret/n\nl.txt': 'alpha one\nx\nx\nx\nalpha two\n',
      'secret/bin': 'alpha\0',
      'open\nname.txt': 'alpha three\n--\n/x: binary file matches (1)\nalpha four\n',
      'open.bin': 'alpha\0',
    })
    project.workplace.isHidden = path => path.startsWith(project.path('secret'))
    const grep = async (output_mode: string): Promise<string> =>
      (
        await project.use(grepTool, {
          pattern: 'alpha',
          output_mode,
          ...(output_mode === 'content' && { '-C': 1 }),
        })
      ).text
    const content = await grep('content')
    expect(content).not.toMatch(/secret|one|two/)
    expect(content).toContain('open\nname.txt:4:alpha four')
    expect(content).toContain('open\nname.txt:3-/x: binary file matches (1)')
    const binary = await project.use(grepTool, { pattern: 'alpha', path: 'open.bin', output_mode: 'content' })
    expect(binary.text).toContain('open.bin:binary file matches')
    expect(await grep('count')).toBe('open\nname.txt:2')
    expect(await grep('files_with_matches')).toBe('open\nname.txt')
  })

  test('links out of the project are not followed', async () => {
    await using project = await projectWith(files)
    await symlink('/etc', project.path('out'))
    expect((await project.use(grepTool, { pattern: 'root', '-i': true })).text).toBe('Nothing was found.')
    expect((await project.use(grepTool, { pattern: 'root', path: 'out' })).failed).toBe(true)
  })

  test('a pattern that begins with a dash or is no expression is only a pattern', async () => {
    await using project = await projectWith({ x: '--files' })
    expect((await project.use(grepTool, { pattern: '--files' })).text).toBe('x')
    const broken = await project.use(grepTool, { pattern: '(' })
    expect(broken).toMatchObject({ failed: true, text: expect.stringContaining('The search failed') })
  })

  test('long results are cut, and all of it can be read', async () => {
    await using project = await projectWith({ big: 'needle and much more text\n'.repeat(4000) })
    const { text } = await project.use(grepTool, { pattern: 'needle', output_mode: 'content', head_limit: 0 })
    expect(text.length).toBeLessThan(30_000)
    const path = /in (\S+),/.exec(text)?.[1] ?? ''
    expect((await project.use(grepTool, { pattern: 'needle', path, output_mode: 'count' })).text).toMatch(
      /:4000$/,
    )
  })
})
