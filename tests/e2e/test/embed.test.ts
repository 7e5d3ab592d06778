import { copyFileSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { start } from './installed/command.ts'
import { repository } from './installed/packages.ts'
import { ProjectFolder } from './installed/project-folder.ts'

const example = join(repository, 'examples/embed/src/main.js')

describe('examples/embed', () => {
  it('runs on the packed packages', async () => {
    using project = new ProjectFolder()
    symlinkSync(inject('installation').modules, join(project.path, 'node_modules'))
    copyFileSync(example, join(project.path, 'main.mjs'))
    const { exit, stdout, stderr } = await start(process.execPath, {
      args: ['main.mjs'],
      surroundings: { project, env: { TMPDIR: project.path } },
    }).finished
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout).toMatch(/^wf_[0-9a-f]{8}-[0-9a-f]{3} is completed: \["HELLO ADA!","HELLO GRACE!"\]\n$/)
  })

  it('is what docs/embedding.md shows', () => {
    const page = readFileSync(join(repository, 'docs/embedding.md'), 'utf8')
    expect(page).toContain(`\`\`\`js\n${readFileSync(example, 'utf8')}\`\`\`\n`)
  })
})
