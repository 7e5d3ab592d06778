// Reviews a change from several points of view, then lets a sceptic try to refute every finding. Only what
// survives is returned, worst first.
//
//   tutti run examples/review-changes.js
//   tutti run examples/review-changes.js target="the last commit" dimensions='["security","tests"]'

export const meta = {
  name: 'review-changes',
  description: 'Review a change along several dimensions and verify every finding',
  whenToUse: 'Before merging: finds problems in a change and drops the ones that do not hold up.',
  phases: [
    { title: 'Review', detail: 'one auditor per dimension' },
    { title: 'Verify', detail: 'one sceptic per finding' },
  ],
}

// What each auditor looks for. Other dimensions can be named in `args.dimensions`.
const DIMENSIONS = {
  correctness: 'wrong results, unhandled cases, broken error paths, races',
  security: 'untrusted input, injection, leaked secrets, missing permission checks',
  performance: 'needless work in hot paths, unbounded memory, repeated I/O',
  tests: 'changed behaviour without a test, tests that cannot fail',
}

const SEVERITIES = ['critical', 'high', 'medium', 'low']

// With a schema an agent returns an object that is valid against it, never prose.
const FINDINGS = {
  type: 'object',
  required: ['findings'],
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'file', 'severity', 'explanation'],
        properties: {
          title: { type: 'string', description: 'The problem in at most ten words' },
          file: { type: 'string', description: 'Path, with the line where there is one' },
          severity: { enum: SEVERITIES },
          explanation: { type: 'string', description: 'What goes wrong, and when' },
        },
      },
    },
  },
}

const VERDICT = {
  type: 'object',
  required: ['verdict', 'reason'],
  properties: {
    verdict: { enum: ['confirmed', 'refuted'] },
    reason: { type: 'string', description: 'The evidence, in one or two sentences' },
  },
}

const target = args?.target ?? 'the uncommitted changes in this repository (git diff HEAD)'
// One dimension or a list of them.
const dimensions = [args?.dimensions ?? Object.keys(DIMENSIONS)].flat()

// A pipeline has no barrier: the findings of one dimension are verified while others are still audited.
const verified = await pipeline(dimensions, audit, verifyAll)

const confirmed = verified
  .flat()
  .filter(finding => finding?.confirmed)
  .map(({ confirmed: _, ...finding }) => finding)
  .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))

log(`${confirmed.length} of ${verified.flat().length} findings confirmed`)

return { confirmed }

/** First stage: one auditor for one dimension. */
function audit(dimension) {
  const focus = DIMENSIONS[dimension] ? ` (${DIMENSIONS[dimension]})` : ''
  return agent(
    `Review ${target} for ${dimension} only${focus}.
Read the change and the code around it. Report concrete problems that the change introduces, each with its
place. No style remarks, no praise, no guesses; an empty list is a good answer.`,
    { label: `audit:${dimension}`, phase: 'Review', schema: FINDINGS },
  )
}

/** Second stage: a sceptic for each finding. An auditor that died gave null: there is nothing to verify. */
function verifyAll(review, dimension) {
  const findings = review?.findings ?? []
  return parallel(findings.map(finding => () => verify(dimension, finding)))
}

async function verify(dimension, finding) {
  const answer = await agent(
    `A reviewer of ${target} claims a ${dimension} problem. Try to refute it.

Claim: ${finding.title}
Place: ${finding.file}
Explanation: ${finding.explanation}

Read the code. Answer "confirmed" only if you can say which input or sequence makes it go wrong; when in
doubt, answer "refuted".`,
    { label: `verify:${dimension}:${finding.title}`, phase: 'Verify', schema: VERDICT },
  )
  return { ...finding, dimension, reason: answer?.reason ?? null, confirmed: answer?.verdict === 'confirmed' }
}
