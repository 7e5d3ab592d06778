import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MockReply, MockRequest } from '@tutti-internal/mock-model'
import { isResult } from './support/frames.ts'
import { Host } from './support/host.ts'
import { lastMessage, says, uses } from './support/model-script.ts'
import { FAN_OUT } from './support/scripts.ts'
import { createSurroundings } from './support/surroundings.ts'

const KEY = 'sk-ant-api03-planted-Key1-aaaaaaaaaaaaaaaaaaaa'
const TOKEN = 'ghp_plantedToken2bbbbbbbbbbbbbbbbbbbbbbbbbbb'
const SETTING = 'planted-setting-3-cccccccccccccccc'
const HEADER = 'planted-header-4-dddddddddddddddd'
const PLANTED = { KEY, TOKEN, SETTING, HEADER }

const SETTINGS = {
  env: { SERVICE_PASSWORD: SETTING },
  mcpServers: {
    away: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer ${HEADER}` } },
  },
}

describe('nothing that a session writes', () => {
  it('holds a secret of its environment or its settings', async () => {
    const tells = (request: MockRequest): MockReply => ({
      error: { status: 400, message: `bad request with ${JSON.stringify(request.headers)} for ${TOKEN}` },
    })
    await using here = await createSurroundings({
      model: [
        [/Show the environment/, uses('Bash', { command: 'env; cat /proc/self/environ', description: 'x' })],
        [/Break/, tells],
        [/Work on item 1/, tells],
        [/Work on/, uses('StructuredOutput', {})],
        [/<task-notification>/, says('The workflow has ended.')],
        [/./, says('So it is.')],
      ],
      workflows: { 'fan-out': FAN_OUT },
      env: { ANTHROPIC_API_KEY: KEY, GITHUB_TOKEN: TOKEN, NPM_TOKEN: TOKEN },
    })
    const settings = join(here.project.root, 'settings.json')
    here.project.writeRoot('settings.json', JSON.stringify(SETTINGS))
    await using host = new Host(here, { args: ['--permission-mode', 'bypassPermissions', '--verbose'] })
    host.request('1', { subtype: 'initialize' })
    host.request('2', { subtype: 'get_settings' })
    host.request('3', { subtype: 'mcp_status' })
    host.request('4', { subtype: 'list_models' })
    const turn = async (text: string, count: number): Promise<void> => {
      host.say(text)
      await host.until(text, () => host.frames().filter(isResult).length >= count)
    }
    await turn('Show the environment', 1)
    await turn('Break', 2)
    await turn('/fan-out', 4)
    expect(await host.end()).toBe(0)

    expect(here.model.requests[0]?.headers['x-api-key']).toBe(KEY)
    const told = here.model.requests.map(request => lastMessage(request)).join('\n')
    const written = {
      stdout: host.recording
        .filter(({ from }) => from === 'session')
        .map(({ line }) => line)
        .join('\n'),
      stderr: host.stderr,
      'what the model was told': told,
      ...filesBelow(here.project.base, settings),
    }
    expect(Object.keys(written).filter(name => name.endsWith('.jsonl'))).not.toEqual([])
    const found = Object.entries(written).flatMap(([place, text]) =>
      Object.entries(PLANTED).flatMap(([name, secret]) =>
        text.includes(secret) ? [`${name} in ${place}`] : [],
      ),
    )
    expect(found).toEqual([])
  })
})

/** Path → text of every file, but the one the secrets were planted in. */
function filesBelow(folder: string, except: string): Record<string, string> {
  const paths = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    paths.filter(path => path !== except).map(path => [path, readFileSync(path, 'latin1')]),
  )
}
