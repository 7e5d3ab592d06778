import { canonicalJson } from '@tutti/runtime'
import type { JsonObject } from '@tutti/protocol'
import { valueOf, type ReadBlob, type RunCall } from './run-calls.ts'

/** A call that only one run has. */
export interface NamedCall {
  label: string
  phase?: string
}

/** A call of both runs, found by its label, that asks for something else. */
export interface ChangedCall extends NamedCall {
  /** What differs: `prompt`, `schema`, `model` … */
  fields: string[]
  /** Given when the prompt differs. */
  prompts?: { a: string; b: string }
}

/** A call of both runs, found by its key, that ended differently. */
export interface OtherOutcome extends NamedCall {
  /** The value as JSON text, or why there is none. */
  a: string
  b: string
}

export interface CallComparison {
  /** Asked for the same and ended the same. */
  equal: number
  otherOutcome: OtherOutcome[]
  changed: ChangedCall[]
  added: NamedCall[]
  removed: NamedCall[]
}

export interface CallsOfRun {
  calls: RunCall[]
  readBlob: ReadBlob
}

/** Pairs calls by key, then by label; what is left was added or removed. */
export async function compareCalls(a: CallsOfRun, b: CallsOfRun): Promise<CallComparison> {
  const same = pairs(a.calls, b.calls, ({ key, n }) => `${key}#${n}`)
  const renamed = pairs(same.onlyA, same.onlyB, ({ key }) => key)
  const byLabel = pairs(renamed.onlyA, renamed.onlyB, ({ label }) => label)
  const otherOutcome: OtherOutcome[] = []
  const matched = [...same.both, ...renamed.both]
  for (const [left, right] of matched) {
    const texts = { a: await outcomeText(left, a.readBlob), b: await outcomeText(right, b.readBlob) }
    if (texts.a !== texts.b) otherOutcome.push({ ...nameOf(right), ...texts })
  }
  return {
    equal: matched.length - otherOutcome.length,
    otherOutcome,
    changed: byLabel.both.map(([left, right]) => ({ ...nameOf(right), ...changeOf(left, right) })),
    added: byLabel.onlyB.map(nameOf),
    removed: byLabel.onlyA.map(nameOf),
  }
}

interface Pairs {
  both: [RunCall, RunCall][]
  onlyA: RunCall[]
  onlyB: RunCall[]
}

/** The first of one side with the first of the other that has the same name, and so on. */
function pairs(a: RunCall[], b: RunCall[], nameOfCall: (call: RunCall) => string): Pairs {
  const waiting = new Map<string, RunCall[]>()
  for (const call of a) waiting.set(nameOfCall(call), [...(waiting.get(nameOfCall(call)) ?? []), call])
  const both: [RunCall, RunCall][] = []
  const onlyB = b.filter(call => {
    const partner = waiting.get(nameOfCall(call))?.shift()
    if (partner !== undefined) both.push([partner, call])
    return partner === undefined
  })
  const left = new Set([...waiting.values()].flat())
  return { both, onlyA: a.filter(call => left.has(call)), onlyB }
}

async function outcomeText(call: RunCall, readBlob: ReadBlob): Promise<string> {
  return call.result === undefined
    ? (call.cause ?? 'unfinished')
    : canonicalJson(await valueOf(call, readBlob))
}

function changeOf(a: RunCall, b: RunCall): Pick<ChangedCall, 'fields' | 'prompts'> {
  if (a.content === undefined || b.content === undefined) return { fields: ['content'] }
  const before = a.content
  const after = b.content
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const fields = [...names].filter(name => textOf(before, name) !== textOf(after, name))
  if (!fields.includes('prompt')) return { fields }
  return { fields, prompts: { a: promptOf(before), b: promptOf(after) } }
}

function promptOf({ prompt }: JsonObject): string {
  return typeof prompt === 'string' ? prompt : ''
}

function textOf(content: JsonObject, name: string): string {
  const value = content[name]
  return value === undefined ? '' : canonicalJson(value)
}

function nameOf({ label, phase }: RunCall): NamedCall {
  return { label, ...(phase !== undefined && { phase }) }
}
