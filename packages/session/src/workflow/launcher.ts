/**
 * The way of a launch: read and check, then permission, then the run, its frames, its answer. Nothing is made before
 * the permission is there.
 */
import type { ChatToolResult, ToolUse } from '@tutti/agents/chat'
import { boundError, boundLabel, type JsonObject } from '@tutti/protocol'
import { canonicalJson, sha256, WorkflowInputError, type RunHandle } from '@tutti/runtime'
import { launchResult, launchText } from '../launch-result.ts'
import type { WorkflowDeskOptions } from './desk-options.ts'
import { ruleOnLaunch, type LaunchRuling } from './launch-ruling.ts'
import { planLaunch, type PlannedLaunch } from './planned-launch.ts'
import type { RuntimeSource } from './runtime-source.ts'
import type { SessionRuns } from './session-runs.ts'
import { errorText, failedResult } from './tool-result.ts'
import type { LaunchAnswer } from './types.ts'
import { readWorkflowInput } from './workflow-input.ts'

const WITHDRAWN = 'Interrupted before the workflow was launched.'

export interface LauncherOptions {
  desk: WorkflowDeskOptions
  runs: SessionRuns
  runtimes: RuntimeSource
}

export interface Launcher {
  /** Answers a use of `Workflow`; never rejects. */
  launch(input: JsonObject, use: ToolUse): Promise<ChatToolResult>
  /** Launches that are on their way come to nothing; resolves when none is left. */
  withdraw(reason: string): Promise<void>
}

export function createLauncher(options: LauncherOptions): Launcher {
  const onTheirWay = new Set<Promise<unknown>>()
  let withdrawal = new AbortController()

  return {
    async launch(input, use) {
      const signal = AbortSignal.any([use.signal, withdrawal.signal])
      const launch = new Launch(options, { ...use, signal })
      const result = launch.run(input).catch((error: unknown) => failedResult(errorText(error)))
      onTheirWay.add(result)
      return result.finally(() => onTheirWay.delete(result))
    },
    async withdraw(reason) {
      withdrawal.abort(new Error(reason))
      withdrawal = new AbortController()
      await Promise.all(onTheirWay)
    },
  }
}

/** One launch on its way. */
class Launch {
  readonly #options: LauncherOptions
  readonly #use: ToolUse

  constructor(options: LauncherOptions, use: ToolUse) {
    this.#options = options
    this.#use = use
  }

  async run(input: JsonObject): Promise<ChatToolResult> {
    let plan = await this.#plan(input)
    const answer = await this.#permission(plan, input)
    if (!answer.allowed) return denied(answer.reason)
    const { updatedInput } = answer
    if (updatedInput !== undefined && canonicalJson(updatedInput) !== canonicalJson(input)) {
      plan = await this.#plan(updatedInput)
      const ruling = await this.#ruling(plan)
      if (ruling.decision === 'deny') return denied(ruling.reason)
    }
    this.#refuseWithdrawn()
    if (answer.remember === true) await this.#remember(plan)
    return this.#begin(plan)
  }

  async #plan(input: JsonObject): Promise<PlannedLaunch> {
    const { desk, runs } = this.#options
    const read = await readWorkflowInput(input)
    const busy = read.resumeFromRunId === undefined ? undefined : runs.byRun(read.resumeFromRunId)
    if (busy !== undefined) {
      throw new WorkflowInputError(
        'option-invalid',
        `run ${busy.handle.runId} still goes on as task ${busy.handle.taskId}, so it cannot be resumed`,
        { hint: 'Wait for its notification, or end it first with TaskStop.' },
      )
    }
    return planLaunch(read, {
      ...desk,
      additionalDirectories: desk.additionalDirectories ?? [],
      anywhere: desk.host.permissionMode() === 'bypassPermissions',
    })
  }

  async #permission(plan: PlannedLaunch, input: JsonObject): Promise<LaunchAnswer> {
    const { host } = this.#options.desk
    const ruling = await this.#ruling(plan)
    if (ruling.decision === 'deny') return { allowed: false, reason: ruling.reason }
    if (ruling.decision === 'allow') return { allowed: true }
    if (host.mayLaunch === undefined) {
      if (ruling.required === undefined) return { allowed: true }
      return { allowed: false, reason: `${ruling.required}, and nobody is there` }
    }
    const { signal, toolUseId } = this.#use
    this.#refuseWithdrawn()
    const answer = host.mayLaunch({
      toolUseId,
      input,
      workflowName: boundLabel(plan.meta.name),
      description: boundError(plan.meta.description),
      phases: (plan.meta.phases ?? []).map(({ title }) => boundLabel(title)),
      script: plan.script.source,
      signal,
    })
    return Promise.race([answer, abortion(signal)])
  }

  async #ruling(plan: PlannedLaunch): Promise<LaunchRuling> {
    const { host, approved, settings } = this.#options.desk
    return ruleOnLaunch({
      name: plan.meta.name,
      saved: await this.#isSaved(plan),
      approved: (await approved?.has(plan.hash)) === true,
      allowedByHook: this.#use.allowed === true,
      askedByHook: this.#use.mustAsk === true,
      rules: host.permissionRules?.() ?? settings.permissions ?? {},
      mode: host.permissionMode(),
    })
  }

  /** The script is the one that its name stands for. */
  async #isSaved({ meta, script }: PlannedLaunch): Promise<boolean> {
    const { workflows } = this.#options.desk
    const saved = await workflows.resolve({ name: meta.name }, undefined).catch(() => undefined)
    return saved !== undefined && sha256(saved.source) === sha256(script.source)
  }

  async #remember({ hash, meta }: PlannedLaunch): Promise<void> {
    const { approved, warn } = this.#options.desk
    await approved?.add(hash, meta.name).catch((error: unknown) => {
      warn?.(`the approval of workflow ${boundLabel(meta.name)} was not kept: ${errorText(error)}`)
    })
  }

  async #begin(plan: PlannedLaunch): Promise<ChatToolResult> {
    const { runs } = this.#options
    const { toolUseId, signal } = this.#use
    const handle = await this.#start(plan)
    const task = runs.follow(handle, { toolUseId, script: plan.script })
    // Too late to withdraw it: it was begun, so it is told of and stopped.
    if (signal.aborted) {
      void handle.stop('interrupted while it was launched')
      await task.told
    }
    const output = launchResult(handle)
    const warning = [output.warning, ...plan.notes].filter(note => note !== undefined).join('\n')
    const told = { ...output, ...(warning !== '' && { warning }) }
    return { content: launchText(told), structured: { ...told } }
  }

  async #start({ script, args, resume }: PlannedLaunch): Promise<RunHandle> {
    const { desk, runtimes } = this.#options
    const { toolUseId } = this.#use
    const runtime = runtimes.current()
    const given = { toolUseId, ...(args !== undefined && { args }) }
    const defaults = desk.launchDefaults?.() ?? {}
    if (resume !== undefined) {
      const { backend, cache } = defaults
      return runtime.resume(resume.runId, {
        ...given,
        script,
        ...(backend !== undefined && { backend }),
        ...(cache !== undefined && { cache }),
      })
    }
    return runtime.launch(script, {
      ...defaults,
      ...given,
      cwd: desk.cwd,
      sessionId: desk.host.sessionId,
    })
  }

  #refuseWithdrawn(): void {
    if (this.#use.signal.aborted) throw new Error(WITHDRAWN)
  }
}

/** Rejects when the signal is aborted: a host need not answer what was withdrawn. */
function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(WITHDRAWN)), { once: true })
  })
}

function denied(reason = 'the user did not allow it'): ChatToolResult {
  return { ...failedResult(`The workflow was not launched: ${reason}`), denied: true }
}
