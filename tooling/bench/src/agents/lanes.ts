import { AGENTS } from './work.ts'

/** As many requests at once as the gate of our backend comes to in the same work. */
const LANES = 64

/** Does the work of every agent, some at a time; gives how many succeeded. */
export async function inLanes(agent: (n: number) => Promise<boolean>): Promise<number> {
  let [next, succeeded] = [0, 0]
  const lane = async (): Promise<void> => {
    while (next < AGENTS) if (await agent(next++)) succeeded++
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return succeeded
}
