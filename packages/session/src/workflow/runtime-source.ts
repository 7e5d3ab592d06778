import { canonicalJson, type AskPermission, type Runtime } from '@tutti/runtime'
import type { WorkflowDeskOptions } from './desk-options.ts'

/** Runtimes under the rules of the session as they are when one is needed. */
export interface RuntimeSource {
  current(): Runtime
}

/** One runtime serves as long as rules and mode stay the same, and as long as somebody, or nobody, can be asked. */
export function createRuntimeSource(
  { host, settings, runtimeFor }: Pick<WorkflowDeskOptions, 'host' | 'settings' | 'runtimeFor'>,
  ask: AskPermission,
): RuntimeSource {
  let last: { key: string; runtime: Runtime } | undefined
  return {
    current() {
      const rules = host.permissionRules?.() ?? settings.permissions ?? {}
      const permissions = { ...rules, defaultMode: host.permissionMode() }
      const asked = host.agentPermission !== undefined
      const key = `${asked} ${canonicalJson(permissions)}`
      if (last?.key !== key) {
        last = { key, runtime: runtimeFor({ settings: permissions, ...(asked && { ask }) }) }
      }
      return last.runtime
    },
  }
}
