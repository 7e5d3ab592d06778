import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trackGroups } from '../../src/conformance/index.ts'
import { createBubblewrap } from '../../src/sandbox/bubblewrap.ts'
import { probeSandbox } from '../../src/sandbox/index.ts'
import { createShellBackend } from '../../src/shell/index.ts'
import { bashTool } from '../../src/tools/bash.ts'
import { play, callOf, stageFor } from '../stage/stage.ts'
import { projectWith, type Project } from '../tools/project.ts'
import { createRepository } from '../worktree/repository.ts'

const { usable, command = '', note } = probeSandbox(process.env)

describe.skipIf(!usable)(`commands in bubblewrap${usable ? '' : ` (not here: ${note})`}`, () => {
  let home: string
  beforeAll(() => {
    home = mkdtempSync(join(homedir(), 'tutti-home-'))
    for (const [name, text] of Object.entries({
      '.ssh/id_ed25519': 'the-private-key',
      '.npmrc': 'token=the-token',
      '.config/gh/hosts.yml': 'the-token',
      '.cargo/credentials.toml': 'the-token',
      '.cargo/bin/tool': '#!/bin/sh\necho tool\n',
      'notes.txt': 'no secret',
    })) {
      mkdirSync(dirname(join(home, name)), { recursive: true })
      writeFileSync(join(home, name), text, { mode: 0o755 })
    }
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  async function run(project: Project, line: string, network = false): Promise<string> {
    project.workplace.sandbox = createBubblewrap({ command, home, network })
    return (await project.use(bashTool, { command: line })).text
  }

  test('write in the project, and nowhere else', async () => {
    await using project = await projectWith({ 'a.txt': 'one' })
    expect(await run(project, 'echo two > a.txt; cat a.txt')).toBe('two')
    expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('two\n')
    const outside = join(home, 'notes.txt')
    expect(await run(project, `echo x >> ${outside}`)).toContain('Read-only file system')
    expect(await run(project, `cat ${outside}`)).toBe('no secret')
    expect(await run(project, 'echo x > /etc/tutti-was-here')).toContain('Read-only file system')
    expect(await run(project, 'chmod 777 /etc/hostname')).toContain('Read-only file system')
  })

  test('have a temporary folder of their own', async () => {
    await using project = await projectWith()
    const name = `tutti-mark-${process.pid}`
    expect(await run(project, `echo x > /tmp/${name} && cat /tmp/${name} && echo $TMPDIR`)).toBe('x\n/tmp')
    expect(existsSync(join(tmpdir(), name))).toBe(false)
  })

  test.each(['.ssh/id_ed25519', '.npmrc', '.config/gh/hosts.yml', '.cargo/credentials.toml'])(
    'do not see ~/%s',
    async name => {
      await using project = await projectWith()
      const text = await run(project, `cat ${join(home, name)}; ls -la ${home}/.ssh`)
      expect(text).not.toMatch(/the-(private-key|token)|id_ed25519$/m)
    },
  )

  test('see the tools in the home folder', async () => {
    await using project = await projectWith()
    expect(await run(project, join(home, '.cargo/bin/tool'))).toBe('tool')
  })

  test('change nothing that makes others run code', async () => {
    await using project = await projectWith({
      '.git/hooks/pre-commit': 'echo',
      '.git/config': '[core]\n',
      '.claude/settings.json': '{}',
      '.mcp.json': '{}',
    })
    const files = '.git/hooks/pre-commit .git/config .claude/settings.json .mcp.json'
    const text = await run(project, `for f in ${files}; do echo x >> $f; done; mv .git/hooks .git/old; true`)
    expect(text.match(/Read-only file system/g)).toHaveLength(4)
    expect(readFileSync(project.path('.git/config'), 'utf8')).toBe('[core]\n')
    expect(existsSync(project.path('.git/hooks/pre-commit'))).toBe(true)
  })

  test('reach the network only where that is wanted', async () => {
    const server = createServer((_, response) => void response.end('reached'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await using project = await projectWith()
    const ask = `${process.execPath} -e "fetch('http://127.0.0.1:${port}').then(r => r.text()).then(console.log, e => console.log('unreachable'))"`
    expect(await run(project, ask)).toBe('unreachable')
    expect(await run(project, ask, true)).toBe('reached')
    server.closeAllConnections()
    server.close()
  })

  test('see no processes but their own, and have no capabilities', async () => {
    await using project = await projectWith()
    expect(Number(await run(project, 'ls /proc | grep -c "^[0-9]"'))).toBeLessThan(8)
    expect(await run(project, 'grep CapEff /proc/self/status')).toMatch(/0000000000000000$/)
  })

  test('end when they are stopped, with all they started', async () => {
    await using project = await projectWith()
    const groups = trackGroups()
    project.workplace.groups = groups
    project.workplace.alive = () => project.stop.abort()
    expect(await run(project, 'echo working; setsid sleep 300 & sleep 300')).toContain('[stopped]')
    expect(await groups.leftBehind()).toBe(false)
  })

  test('commit in a worktree, whose repository lies elsewhere', async () => {
    using repository = createRepository()
    await using project = await projectWith()
    const tree = join(repository.root, '.claude', 'worktrees', 'one')
    execFileSync('git', ['worktree', 'add', '--quiet', tree], { cwd: repository.root })
    Object.assign(project.workplace, { root: tree, cwd: tree })
    const commit =
      'git -c user.name=a -c user.email=b commit --quiet --allow-empty -m work && git log -1 --format=%s'
    expect(await run(project, commit)).toBe('work')
    await run(project, `echo x > ${repository.root}/stray`)
    expect(existsSync(join(repository.root, 'stray'))).toBe(false)
    expect(await run(project, 'git config alias.x "!touch /tmp/y"')).toContain('could not')
  })

  test('commit in a folder of a worktree, and cannot turn git to another repository', async () => {
    using repository = createRepository()
    await using project = await projectWith()
    const tree = join(repository.root, '.claude', 'worktrees', 'one')
    execFileSync('git', ['worktree', 'add', '--quiet', tree], { cwd: repository.root })
    const root = join(tree, 'src')
    Object.assign(project.workplace, { root, cwd: root })
    const commit = 'git -c user.name=a -c user.email=b commit --quiet -am work && git log -1 --format=%s'
    expect(await run(project, `echo more >> b.txt; ${commit}`)).toBe('work')
    expect(await run(project, 'echo x > ../a.txt')).toContain('Read-only file system')
    Object.assign(project.workplace, { root: tree, cwd: tree })
    const admin = join(repository.root, '.git', 'worktrees', 'one')
    for (const attack of [
      'echo "gitdir: /tmp" > .git',
      'mv .git away',
      'rm -f .git',
      `echo /tmp > ${admin}/commondir`,
      `mv ${admin} ${admin}-away`,
    ])
      expect(await run(project, attack)).toMatch(/Read-only|busy/)
    expect(execFileSync('git', ['status', '--short'], { cwd: tree, encoding: 'utf8' })).toBe('')
  })

  test('cannot put another .git in the place of that of the project', async () => {
    await using project = await projectWith({
      '.git/config': '[core]\n',
      '.git/HEAD': 'ref: refs/heads/main\n',
    })
    expect(await run(project, 'mv .git away; rm -rf .git')).toMatch(/busy/)
    expect(readFileSync(project.path('.git/config'), 'utf8')).toBe('[core]\n')
  })

  test('write to no folder that a link for git leads to', async () => {
    await using project = await projectWith({ '.git': `gitdir: ${home}\n` })
    expect(await run(project, `echo x > ${home}/stray`)).toContain('Read-only file system')
  })

  test('write in additional folders, but for what makes others run code there', async () => {
    await using project = await projectWith()
    await using other = await projectWith({ 'a.txt': 'a', '.mcp.json': '{}', '.git/config': '[core]\n' })
    const gone = join(other.root, 'gone')
    Object.assign(project.workplace, { additional: [other.root, gone] })
    expect(await run(project, `cd ${other.root} && echo two > a.txt && cat a.txt`)).toBe('two')
    const text = await run(project, `cd ${other.root}; echo x > .mcp.json; echo x > .git/config`)
    expect(text.match(/Read-only file system/g)).toHaveLength(2)
    expect(await run(project, `echo x > ${home}/stray`)).toContain('Read-only file system')
  })

  test('of the shell backend are confined, too', async () => {
    await using project = await projectWith()
    const sandbox = createBubblewrap({ command, home, network: false })
    const options = { projectRoot: project.root, env: process.env, allowShell: true, sandbox }
    const { outcome } = await play(createShellBackend(options), { prompt: `touch ${home}/x; touch y && ls` })
    expect(outcome).toMatchObject({ status: 'ok', value: 'y' })
    expect(existsSync(join(home, 'x'))).toBe(false)
  })

  test('are stopped at once when they were not yet started', async () => {
    await using project = await projectWith()
    const sandbox = createBubblewrap({ command, home, network: false })
    const options = { projectRoot: project.root, env: process.env, allowShell: true, sandbox }
    const { context, stop } = await stageFor()
    const execution = createShellBackend(options).start(callOf({ prompt: 'sleep 300' }), context)
    stop.abort()
    expect(await execution.result).toMatchObject({ cause: 'stopped' })
  })
})
