import type { ExecutionFlags } from '../command-line/invocation.ts'
import { toolList } from '../session/tool-list.ts'
import type { Project } from './project.ts'

/** The project with the permissions of its settings and those of the flags; a denial of either holds. */
export function withPermissionFlags(
  project: Project,
  { permissionMode, allowedTools, disallowedTools }: ExecutionFlags,
): Project {
  if (permissionMode === undefined && allowedTools === undefined && disallowedTools === undefined)
    return project
  const { settings } = project
  const { allow = [], deny = [] } = settings.permissions ?? {}
  const permissions = {
    ...settings.permissions,
    allow: [...allow, ...toolList(allowedTools ?? [])],
    deny: [...deny, ...toolList(disallowedTools ?? [])],
    ...(permissionMode !== undefined && { defaultMode: permissionMode }),
  }
  return { ...project, settings: { ...settings, permissions } }
}
