import type { Dialect, OutFrame } from '@tutti/protocol'
import * as fc from 'fast-check'
import { FrameMaker, type TaskPlan } from './frame-maker.ts'

/** A session that keeps every rule. */
export interface Story {
  dialect: Dialect
  frames: OutFrame[]
}

/** Sessions of two turns: the first launches workflows that end, in any order, before or after its result. */
export function stories(): fc.Arbitrary<Story> {
  const plan = fc.record({
    end: fc.constantFrom('completed' as const, 'failed' as const, 'killed' as const),
    agents: fc.array(fc.constantFrom('done' as const, 'error' as const, 'cached' as const), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  return fc
    .record({
      dialect: fc.constantFrom('codebuddy' as const, 'claude-code' as const),
      plans: fc.array(plan, { minLength: 1, maxLength: 3 }),
      picks: fc.array(fc.nat(), { minLength: 80, maxLength: 80 }),
    })
    .map(({ dialect, plans, picks }) => ({
      dialect,
      frames: tell(
        new FrameMaker(dialect),
        plans.map((one, at) => ({ ...one, id: `w${at}` })),
        picks,
      ),
    }))
}

/** What is written in one go; a task's steps keep their order, those of several tasks mix. */
type Step = (running: TaskPlan[]) => OutFrame[]

function tell(maker: FrameMaker, plans: TaskPlan[], picks: number[]): OutFrame[] {
  const running: TaskPlan[] = []
  const lanes = plans.map(plan => stepsOf(maker, plan))
  const turn = [...lanes.map(lane => lane.shift()), (): OutFrame[] => [maker.says('They run')]]
  const frames = [maker.init()]
  let open = true
  for (const pick of picks) {
    const step =
      open && turn.length > 0 && pick % 2 === 0 ? turn.shift() : oneOf(ready(lanes, plans, running), pick)
    frames.push(...(step?.(running) ?? []))
    if (open && turn.length === 0) {
      open = false
      if (running.length > 0) frames.push(maker.background(running))
      frames.push(maker.result())
    }
  }
  for (const step of turn) frames.push(...(step?.(running) ?? []))
  if (open) frames.push(maker.background(running), maker.result())
  for (const step of lanes.flat()) frames.push(...step(running))
  return [...frames, maker.init(), maker.says('They have ended'), maker.result()]
}

/** The steps of the tasks that were launched. */
function ready(lanes: Step[][], plans: TaskPlan[], running: TaskPlan[]): Step[][] {
  return lanes.filter((_, at) => running.includes(plans[at]!))
}

function oneOf(lanes: Step[][], pick: number): Step | undefined {
  return lanes[pick % (lanes.length || 1)]?.shift()
}

function stepsOf(maker: FrameMaker, plan: TaskPlan): Step[] {
  const all = 2 * plan.agents.length
  const stopped = plan.end === 'killed' && maker.dialect === 'codebuddy'
  const steps = stopped ? all - 1 : all
  const launch: Step = running => {
    running.push(plan)
    return [maker.toolUse(plan.id), maker.started(plan), maker.background(running), maker.launched(plan)]
  }
  const end: Step = running => {
    running.splice(running.indexOf(plan), 1)
    return [maker.updated(plan), maker.notified(plan), maker.background(running)]
  }
  return [
    launch,
    ...Array.from({ length: steps }, (_, at): Step => () => [maker.progress(plan, at + 1)]),
    end,
    ...(stopped ? [(): OutFrame[] => [maker.aborted(plan, steps)]] : []),
  ]
}
