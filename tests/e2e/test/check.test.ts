import { describe, expect, it } from 'vitest'
import { tutti } from './installed/command.ts'
import { ProjectFolder } from './installed/project-folder.ts'

const meta = "export const meta = { name: 'x', description: 'x' }"

describe('tutti check', () => {
  it('accepts a comment before meta', async () => {
    expect(await check(`// about it\n/* more */\n${meta}\nreturn 1\n`)).toMatchObject({ exit: 0 })
  })

  it('accepts the clock as mere words', async () => {
    expect(
      await check(`${meta}\nreturn 'never call Date.now() or Math.random()' // Date.now()\n`),
    ).toMatchObject({ exit: 0 })
  })

  it('names TypeScript and shows the place', async () => {
    const { exit, text } = await check(`${meta}\nconst a: number = 1\nreturn a\n`)
    expect(exit).toBe(2)
    expect(text).toMatch(/TypeScript/)
    expect(text).toContain('2:8')
    expect(text).toContain('const a: number = 1')
  })

  it('refuses the clock in code and shows the place', async () => {
    const { exit, text } = await check(`${meta}\nconst t = Date.now()\nreturn t\n`)
    expect(exit).toBe(2)
    expect(text).toContain('Date.now()')
    expect(text).toContain('2:11')
    expect(text).toContain('const t = Date.now()')
  })

  it('refuses import() and shows the place', async () => {
    const { exit, text } = await check(`${meta}\nconst fs = await import('fs')\nreturn fs\n`)
    expect(exit).toBe(2)
    expect(text).toContain('import')
    expect(text).toContain('2:18')
    expect(text).toContain("await import('fs')")
  })

  it('refuses a computed meta and shows the place', async () => {
    const { exit, text } = await check(
      "const name = 'x'\nexport const meta = { name, description: 'x' }\nreturn 1\n",
    )
    expect(exit).toBe(2)
    expect(text).toContain('meta')
    expect(text).toMatch(/\b[12]:\d+/)
    expect(text).toContain("const name = 'x'")
  })

  it('tells several findings at once', async () => {
    const { exit, text } = await check(`${meta}\nconst t = Date.now()\nreturn t + Math.random()\n`)
    expect(exit).toBe(2)
    expect(text).toContain('2:11')
    expect(text).toContain('3:12')
  })
})

async function check(source: string): Promise<{ exit: number | string; text: string }> {
  using project = new ProjectFolder({ 'workflow.js': source })
  const { exit, stdout, stderr } = await tutti(['check', 'workflow.js'], { project })
  return { exit, text: stdout + stderr }
}
