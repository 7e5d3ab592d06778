import { FOREIGN_RUN_ID_PATTERN } from '@tutti/protocol'
import type { ReusableRun } from '@tutti/runtime'
import { readForeignRun } from '@tutti/storage'
import { count } from '../render/numbers.ts'
import type { Project } from './project.ts'

/** The finished agents of another run: by its path, or by its id when the project has it. */
export async function openReuse(run: string, { cwd, store }: Project): Promise<ReusableRun> {
  if (!FOREIGN_RUN_ID_PATTERN.test(run)) return readForeignRun(run, { cwd })
  const foreign = await store.loadForeign(run)
  const path = foreign === undefined ? (await store.locate(run)).record : foreign.locations.folder
  return readForeignRun(path, { cwd })
}

/** What another run offers, in one line. */
export function reuseText({ calls, product, source, problems }: ReusableRun): string {
  const others = problems.length === 1 ? '1 other cannot' : `${problems.length} others cannot`
  const rest = problems.length === 0 ? '' : `, ${others} be used`
  return `Reuse: ${count(calls.length, 'finished agent')} of a ${product} run${rest} (${source}).`
}
