/** Asks as many agents as there are topics, at once, and gives what they found. */
export const RESEARCH = `export const meta = { name: 'deep-research', description: 'Researches a topic', phases: [{ title: 'Ask' }] }
phase('Ask')
const found = await parallel(['first', 'second'].map(part => () => agent('Look into the ' + part + ' part of ' + args.topic, { label: part })))
return { topic: args.topic, found }
`

/** Asks four agents at once. */
export const FAN_OUT = `export const meta = { name: 'fan-out', description: 'Asks four at once' }
return await parallel([1, 2, 3, 4].map(n => () => agent('Work on item ' + n, { label: 'item ' + n })))
`

/** One agent works, then the script throws. */
export const FAILING = `export const meta = { name: 'failing', description: 'Does not get far' }
await agent('Look into the one part', { label: 'one' })
throw new Error('the plan does not hold')
`
