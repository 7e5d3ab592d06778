import { mkdtempSync, realpathSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ChatToolResult, ToolUse } from '@tutti/agents/chat'
import type { Dialect, JsonObject, TaskFrame, UserFrame, WorkflowToolOutput } from '@tutti/protocol'
import { createRuntime, type AgentExecutor, type Random, type Runtime } from '@tutti/runtime'
import {
  createScriptedExecutor,
  createSeededRandom,
  createVirtualClock,
  type ScriptedTable,
  type VirtualClock,
} from '@tutti/runtime/testing'
import { openApprovedScripts, openStore, openWorkflows, type FileStore } from '@tutti/storage'
import { checkFrames, problemText } from '@tutti-internal/frame-check'
import { createWorkflowDesk } from '../../../src/workflow/create-desk.ts'
import type { RunPermissions, WorkflowDeskOptions } from '../../../src/workflow/desk-options.ts'
import { launchFrame } from '../../../src/launch-result.ts'
import type { DeskHost, EndedWorkflow, WorkflowDesk } from '../../../src/workflow/types.ts'

export const SESSION_ID = '00000000-0000-4000-8000-000000000000'

export interface DeskStageOptions {
  /** What agents do, by label; default: each gives back its prompt. */
  table?: ScriptedTable
  executor?: AgentExecutor
  dialect?: Dialect
  mode?: string
  host?: Partial<DeskHost>
  desk?: Partial<WorkflowDeskOptions>
  /** The folder of another stage: the same project, another session. */
  folder?: string
  sessionId?: string
}

/** A desk over real files and the real runtime, in a folder of its own, with a clock that stands still. */
export interface DeskStage {
  desk: WorkflowDesk
  clock: VirtualClock
  store: FileStore
  cwd: string
  root: string
  folder: string
  frames: (TaskFrame | UserFrame)[]
  ended: EndedWorkflow[]
  /** Permissions of each runtime that was made. */
  permissions: RunPermissions[]
  warnings: string[]
  /** Uses a tool of the desk; the result is written as a frame when it launched something. */
  use(tool: string, input: JsonObject, more?: Partial<ToolUse>): Promise<ChatToolResult>
  /** `Workflow`, and its structured result. Throws when it failed. */
  launch(input: JsonObject): Promise<WorkflowToolOutput>
  /** Waits until so many agents of a task were seen to have a slot. Time stands still. */
  agentsAtWork(taskId: string, count: number): Promise<void>
  /** Waits until no workflow runs; agents that wait for time must have had it. */
  finish(): Promise<void>
  /** `subtype:status` of the task frames. */
  order(taskId?: string): string[]
  /** Throws for frames that break a rule of the wire. */
  check(): void
  save(name: string, source: string): Promise<string>
  write(path: string, text: string): Promise<string>
  remove(): Promise<void>
}

/** A script with a plain meta. */
export function script(body: string, name = 'demo', meta = ''): string {
  return `export const meta = { name: '${name}', description: 'About ${name}'${meta === '' ? '' : `, ${meta}`} }\n${body}\n`
}

export function createDeskStage(options: DeskStageOptions = {}): DeskStage {
  const { table = { '*': { echo: true } }, dialect = 'codebuddy', sessionId = SESSION_ID } = options
  const folder = options.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'tutti-desk-')))
  const cwd = join(folder, 'project')
  const root = join(folder, 'root')
  const clock = createVirtualClock()
  const random = createSeededRandom(options.folder === undefined ? 1 : 2)
  const store = openStore({ cwd, root, clock, random, codebuddyRoot: join(folder, 'codebuddy') })
  const workflows = openWorkflows({ cwd, root })
  const frames: (TaskFrame | UserFrame)[] = []
  const ended: EndedWorkflow[] = []
  const permissions: RunPermissions[] = []
  const warnings: string[] = []
  const host: DeskHost = {
    sessionId,
    write(frame, sent) {
      frames.push(frame)
      sent?.(Buffer.byteLength(JSON.stringify(frame)) + 1)
    },
    ended: end => void ended.push(end),
    permissionMode: () => options.mode ?? 'default',
  }
  // Getters stay what they are.
  Object.defineProperties(host, Object.getOwnPropertyDescriptors(options.host ?? {}))
  const executor = options.executor ?? createScriptedExecutor(table, { clock })
  const desk = createWorkflowDesk({
    host,
    cwd,
    root,
    env: {},
    settings: {},
    dialect,
    clock,
    random,
    store,
    workflows,
    approved: openApprovedScripts({ cwd, root, clock, random }),
    warn: message => warnings.push(message),
    runtimeFor(given): Runtime {
      permissions.push(given)
      return createRuntime({ executor, store, workflows, clock, random, permission: given.ask, cpus: 8 })
    },
    ...options.desk,
  })
  let uses = 0

  const stage: DeskStage = {
    desk,
    clock,
    store,
    cwd,
    root,
    folder,
    frames,
    ended,
    permissions,
    warnings,
    async use(name, input, more = {}) {
      const tool = desk.tools.find(one => one.name === name)
      if (tool === undefined) throw new Error(`no tool ${name}`)
      const use = { toolUseId: `toolu_${++uses}`, signal: new AbortController().signal, ...more }
      const result = await tool.run(input, use)
      writeLaunch(result, use, { frames, sessionId, random })
      return result
    },
    async launch(input) {
      const { content, failed, structured } = await stage.use('Workflow', input)
      if (failed === true) throw new Error(JSON.stringify(content))
      return structured as unknown as WorkflowToolOutput
    },
    async agentsAtWork(taskId, count) {
      const handle = desk.running.find(run => run.taskId === taskId)
      if (handle === undefined) throw new Error(`task ${taskId} does not run`)
      const seen = (): number =>
        handle.snapshot().progress.filter(row => row.type === 'workflow_agent' && row.startedAt !== undefined)
          .length
      while (seen() < count) await new Promise(resolve => setImmediate(resolve))
    },
    finish: () => desk.idle(),
    order: taskId =>
      frames
        .filter((frame): frame is TaskFrame => frame.type === 'system')
        .filter(frame => taskId === undefined || ('task_id' in frame && frame.task_id === taskId))
        .map(describe),
    check() {
      const problems = checkFrames(
        frames.map(frame => JSON.stringify(frame)),
        { dialect, source: 'run' },
      )
      if (problems.length > 0) throw new Error(problemText(problems))
    },
    save: (name, source) => stage.write(join(cwd, '.claude', 'workflows', `${name}.js`), source),
    async write(path, text) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
      return path
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
  return stage
}

function writeLaunch(
  { structured, failed }: ChatToolResult,
  { toolUseId }: ToolUse,
  { frames, sessionId, random }: { frames: (TaskFrame | UserFrame)[]; sessionId: string; random: Random },
): void {
  const output = structured as unknown as WorkflowToolOutput | undefined
  if (failed === true || output?.status !== 'async_launched') return
  frames.push(launchFrame({ output, toolUseId, sessionId, random }))
}

function describe(frame: TaskFrame): string {
  if (frame.subtype === 'task_updated') return `task_updated:${frame.patch.status}`
  if (frame.subtype === 'task_notification') return `task_notification:${frame.status}`
  return frame.subtype
}
