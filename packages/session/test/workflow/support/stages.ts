import { afterEach } from 'vitest'
import { createDeskStage, type DeskStage, type DeskStageOptions } from './desk-stage.ts'

export interface DeskStages {
  open(options?: DeskStageOptions): DeskStage
  /** The stage that was opened last. */
  readonly last: DeskStage
}

/** Stages for the tests of a file; each ends with its test, and with it all that still runs. */
export function deskStages(defaults: DeskStageOptions = {}): DeskStages {
  const stages: DeskStage[] = []
  afterEach(async () => {
    for (const stage of stages.splice(0)) {
      await stage.desk.stopAll('the test is over')
      await stage.finish()
      await stage.remove()
    }
  })
  return {
    open(options) {
      const stage = createDeskStage({ ...defaults, ...options })
      stages.push(stage)
      return stage
    },
    get last() {
      const stage = stages.at(-1)
      if (stage === undefined) throw new Error('no stage was opened')
      return stage
    },
  }
}
