import { expect, test } from 'vitest'
import { chosenServers } from '../../src/mcp/servers.ts'
import { projectWith } from '../tools/project.ts'

const file = JSON.stringify({
  mcpServers: { a: { command: 'a' }, b: { command: 'b' }, c: { url: 'http://c' } },
})

test.each([
  [{}, []],
  [{ enabled: ['a', 'x'] }, ['a']],
  [{ enableAll: true }, ['a', 'b', 'c']],
  [{ enableAll: true, disabled: ['b'] }, ['a', 'c']],
  [{ enabled: ['a'], disabled: ['a'] }, []],
])('of the project only those are used that were chosen: %j', async (choice, names) => {
  await using project = await projectWith({ '.mcp.json': file })
  expect(Object.keys((await chosenServers(project.root, choice, {})).servers)).toEqual(names)
})

test('those of the settings are used, and win', async () => {
  await using project = await projectWith({ '.mcp.json': file })
  const { servers } = await chosenServers(
    project.root,
    { enableAll: true, servers: { a: { url: 'http://own' } } },
    {},
  )
  expect(servers).toMatchObject({ a: { url: 'http://own' }, b: { command: 'b' } })
})

test('variables are put in', async () => {
  const server = {
    command: '${BIN}/x',
    args: ['--port=${PORT:-80}', '${MISSING}'],
    env: { A: '${BIN}' },
    headers: { authorization: 'Bearer ${BIN}' },
    url: 'http://${HOST:-localhost}/',
  }
  const { servers } = await chosenServers('/nowhere', { servers: { s: server } }, { BIN: '/bin' })
  expect(servers.s).toEqual({
    command: '/bin/x',
    args: ['--port=80', '${MISSING}'],
    env: { A: '/bin' },
    headers: { authorization: 'Bearer /bin' },
    url: 'http://localhost/',
  })
})

test.each(['{', '{}', '{"mcpServers":{"a":{"command":7}}}'])(
  'a file that cannot be used is told: %s',
  async text => {
    await using project = await projectWith({ '.mcp.json': text })
    const { servers, problem } = await chosenServers(project.root, { enableAll: true }, {})
    expect(servers).toEqual({})
    expect(problem).toMatch(/^\.mcp\.json cannot be used: /)
  },
)
