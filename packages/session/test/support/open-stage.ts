import { afterEach } from 'vitest'
import { createSessionStage, type SessionStage, type SessionStageOptions } from './session-stage.ts'

/** Opens sessions that end with their test. */
export function stageOpener(): (options?: SessionStageOptions) => SessionStage {
  const stages: SessionStage[] = []
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.remove()
  })
  return options => {
    const stage = createSessionStage(options)
    stages.push(stage)
    return stage
  }
}
