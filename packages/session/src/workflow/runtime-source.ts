import { canonicalJson, type AskPermission, type Runtime } from '@tutti/runtime'
import type { WorkflowDeskOptions } from './desk-options.ts'

/** Runtimes under the rules of the session as they are when one is needed. */
export interface RuntimeSource {
  current(): Runtime
}

/** One runtime serves as long as rules and mode stay the same. */
export function createRuntimeSource(
  { host, settings, runtimeFor }: Pick<WorkflowDeskOptions, 'host' | 'settings' | 'runtimeFor'>,
  ask: AskPermission | undefined,
): RuntimeSource {
  let last: { key: string; runtime: Runtime } | undefined
  return {
    current() {
      const rules = host.permissionRules?.() ?? settings.permissions ?? {}
      const permissions = { ...rules, defaultMode: host.permissionMode() }
      const key = canonicalJson(permissions)
      if (last?.key !== key) {
        const runtime = runtimeFor({ settings: permissions, ...(ask !== undefined && { ask }) })
        last = { key, runtime }
      }
      return last.runtime
    },
  }
}
