import { realpath } from 'node:fs/promises'
import type { PermissionSettings } from '@tutti/protocol'
import type { AgentCall, AgentContext, Clock } from '@tutti/runtime'
import type { Stage } from '../execution.ts'
import { createGatekeeper } from '../permission/gatekeeper.ts'
import { createPolicy } from '../permission/policy.ts'
import type { ProcessGroups } from '../process-groups.ts'
import { withoutSecrets } from '../shell/environment.ts'
import { workingDirectory } from '../shell/working-directory.ts'
import { createKit, type Kit } from './kit.ts'
import { projectInstructions } from './project-instructions.ts'
import { createSpill } from './spill.ts'
import { allowedTools, BUILT_IN_TOOLS } from './toolbox.ts'
import type { Workplace } from './workplace.ts'

/** Where agents work and what they may do there. */
export interface Workspace {
  projectRoot: string
  /** Passed to commands without what looks like a secret. */
  env: Record<string, string | undefined>
  permissions?: PermissionSettings
  /** Told of every command that runs. */
  groups?: ProcessGroups
  /** How long a question about a permission waits for its answer. Default five minutes. */
  askMs?: number
}

export interface Opening {
  call: AgentCall
  context: AgentContext
  stage: Stage
}

/** Equips agents. */
export interface Workshop {
  open(opening: Opening): Promise<Kit | { refused: string; escapes: boolean }>
}

const ASK_MS = 5 * 60 * 1000

/** Throws WorkflowInputError `settings-invalid` for rules that cannot be read. */
export async function openWorkshop(workspace: Workspace, clock: Clock): Promise<Workshop> {
  const root = await realpath(workspace.projectRoot)
  const policy = createPolicy(root, workspace.permissions)
  const env = withoutSecrets(workspace.env)

  return {
    async open({ call, context, stage }) {
      const place = await workingDirectory(root, call.cwd)
      if ('refused' in place) return place
      const workplace: Workplace = {
        root,
        cwd: place.path,
        env,
        spill: createSpill(),
        clock,
        signal: stage.signal,
        ...(workspace.groups && { groups: workspace.groups }),
        seen: new Map(),
        todos: [],
        isHidden: policy.hides,
        alive: () => stage.emit({ type: 'activity' }),
      }
      const { signal, emit } = stage
      const askMs = workspace.askMs ?? ASK_MS
      return createKit({
        tools: allowedTools(BUILT_IN_TOOLS, call).filter(({ name }) => !policy.removes(name)),
        background: await backgroundOf(root, place.path),
        workplace,
        gatekeeper: createGatekeeper({ policy, context, clock, askMs, signal, emit }),
        emit,
      })
    },
  }
}

async function backgroundOf(root: string, cwd: string): Promise<string> {
  const place = `Project: ${root}\nWorking directory: ${cwd}\nPlatform: ${process.platform}`
  return [await projectInstructions(root, cwd), place].filter(text => text !== '').join('\n\n')
}
