import * as fc from 'fast-check'
import type { CallNode, Node, Program } from './program.ts'

const CHILDREN = 2

/** Random programs: a main script and its children. */
export function arbitraryProgram(): fc.Arbitrary<Program> {
  return fc.record({
    main: fc.record({
      kind: fc.constantFrom('seq', 'seq', 'all', 'parallel'),
      parts: fc.array(nodes(true), { minLength: 1, maxLength: 4 }),
    }),
    children: fc.array(nodes(false), { minLength: CHILDREN, maxLength: CHILDREN }),
  })
}

/** Calls share a few prompts, so that many have twins, with equal and with other labels. */
function call(): fc.Arbitrary<CallNode> {
  const any = fc.record({
    kind: fc.constant('call' as const),
    prompt: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    label: fc.constantFrom('L1', 'L2', 'L3'),
    twin: rarely(3),
    counting: rarely(8),
    settled: rarely(6),
    schema: rarely(6),
    cache: fc.oneof(
      { weight: 8, arbitrary: fc.constant('auto' as const) },
      { weight: 1, arbitrary: fc.constant('content' as const) },
      { weight: 1, arbitrary: fc.constant('never' as const) },
    ),
    refused: rarely(30),
  })
  return any.map(node =>
    node.twin ? { ...node, prompt: node.prompt < 'd' ? 'a' : 'b', schema: false } : node,
  )
}

/** True once in `n` times. */
function rarely(n: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: n - 1 }).map(value => value === n - 1)
}

function nodes(top: boolean): fc.Arbitrary<Node> {
  const { node } = fc.letrec<{ node: Node; parts: Node[] }>(tie => ({
    node: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true, maxDepth: top ? 4 : 2 },
      { weight: 6, arbitrary: call() },
      ...leaves(top),
      ...branches(tie('node'), tie('parts')),
    ),
    parts: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
  }))
  return node
}

type Weighted = fc.WeightedArbitrary<Node>

function leaves(top: boolean): Weighted[] {
  const child = fc.record({
    kind: fc.constant('child' as const),
    child: fc.integer({ min: 0, max: CHILDREN - 1 }),
  })
  const sleep = fc.record({ kind: fc.constant('sleep' as const), ms: fc.integer({ min: 1, max: 40 }) })
  return [
    { weight: 1, arbitrary: sleep },
    { weight: 1, arbitrary: fc.constant({ kind: 'throw' as const }) },
    ...(top ? [{ weight: 2, arbitrary: child }] : []),
  ]
}

function branches(node: fc.Arbitrary<Node>, parts: fc.Arbitrary<Node[]>): Weighted[] {
  const small = fc.integer({ min: 1, max: 3 })
  return [
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constantFrom('seq', 'parallel', 'parallel', 'all', 'race'), parts }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('pipeline' as const),
        items: small,
        feed: fc.boolean(),
        stages: parts,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('loop' as const),
        times: small,
        feed: fc.boolean(),
        body: node,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('budget' as const),
        tokens: fc.integer({ min: 10, max: 100 }),
        body: node,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('guard' as const), body: node, fallback: node }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('branch' as const), test: node, even: node, odd: node }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('later' as const), first: node, meanwhile: node }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('deadline' as const),
        ms: fc.integer({ min: 1, max: 40 }),
        body: node,
      }),
    },
  ]
}
