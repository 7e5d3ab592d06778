import { execFileSync } from 'node:child_process'
import { copyFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { start, tutti } from './installed/command.ts'
import { repository } from './installed/packages.ts'
import { ProjectFolder } from './installed/project-folder.ts'

const others = process.env['TUTTI_E2E_NODES'] === 'all' ? ['22', '24'] : []
const script = `export const meta = { name: 'x', description: 'x' }
return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))
`

describe.each(others)('on Node %s', major => {
  let node: string[]

  beforeAll(() => {
    const path = execFileSync('npx', ['-y', `node@${major}`, '-p', 'process.execPath'], { encoding: 'utf8' })
    node = [path.trim()]
  })

  it('is that Node', () => {
    expect(
      execFileSync(node[0] ?? '', ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }),
    ).toBe(`${major}\n`)
  })

  it('runs, fails an agent and resumes', async () => {
    const table = { a: { ok: 1 }, b: { die: 'refused' } }
    using project = new ProjectFolder({ 'main.js': script, 'agents.json': JSON.stringify(table) })
    const flags = ['--backend', 'scripted:agents.json', '--json']
    const first = await tutti(['run', 'main.js', ...flags], { project, node })
    expect({ exit: first.exit, stdout: first.stdout }).toEqual({ exit: 3, stdout: '[1,null]\n' })
    project.write('agents.json', JSON.stringify({ b: { ok: 2 } }))
    const second = await tutti(['resume', ...flags], { project, node })
    expect({ exit: second.exit, stdout: second.stdout }).toEqual({ exit: 0, stdout: '[1,2]\n' })
    expect(first.stderr + second.stderr).not.toMatch(/deprecat|experimental/i)
  })

  it('runs the embedding example', async () => {
    using project = new ProjectFolder()
    symlinkSync(inject('installation').modules, join(project.path, 'node_modules'))
    copyFileSync(join(repository, 'examples/embed/src/main.js'), join(project.path, 'main.mjs'))
    const { exit, stderr } = await start(node[0] ?? '', {
      args: ['main.mjs'],
      surroundings: { project, env: { TMPDIR: project.path } },
    }).finished
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  })
})
