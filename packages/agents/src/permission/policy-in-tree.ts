import { join, relative } from 'node:path'
import type { Wish } from '../tools/tool.ts'
import { isWithin } from '../tools/workplace.ts'
import type { Policy } from './policy.ts'

/**
 * The rules of a project in a checkout that stands in for it: a path there is judged as the same path of the
 * project is, also by rules that name it from the file system's root.
 */
export function policyInTree(policy: Policy, { tree, project }: { tree: string; project: string }): Policy {
  const moved = (path: string): string => (isWithin(tree, path) ? join(project, relative(tree, path)) : path)
  const asInProject = (wish: Wish): Wish => ('path' in wish ? { ...wish, path: moved(wish.path) } : wish)
  return {
    ...policy,
    decide: (tool, wish) => policy.decide(tool, asInProject(wish)),
    hides: path => policy.hides(moved(path)),
  }
}
