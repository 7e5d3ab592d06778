import type { CallNode, Node, Program } from './program.ts'

/** The texts of a program: the main script and its children by name. */
export interface Rendered {
  main: string
  children: Record<string, string>
}

/**
 * Writes a program down as scripts that tell every call, timer and outcome; `oracle/trace.ts` reads it. `logged`:
 * line by line in the log. `returned`: with the value, so that outcomes enter a script that does nothing about them.
 */
export function render({ main, children }: Program, telling: Telling = 'logged'): Rendered {
  const value = `await (${expression(main)})('')`
  const body =
    telling === 'logged'
      ? `const value = ${value}\nreturn { value, seen }`
      : `try { const value = ${value}; return { value, seen, trace } } catch (e) { return { thrown: e.message, seen, trace } }`
  return {
    main: scriptOf('main', { path: "''", telling, body }),
    children: Object.fromEntries(
      children.map((child, i) => [
        childName(i),
        scriptOf(childName(i), {
          path: 'args.path',
          telling: 'logged',
          body: `try { return await (${expression(child)})(args.c) } finally { tell('e', PATH) }`,
        }),
      ]),
    ),
  }
}

export type Telling = 'logged' | 'returned'

export function childName(index: number): string {
  return `child${index}`
}

function scriptOf(name: string, parts: { path: string; telling: Telling; body: string }): string {
  const tell =
    parts.telling === 'logged'
      ? 'const tell = (...entry) => log(JSON.stringify(entry))'
      : 'const trace = []\nconst tell = (...entry) => trace.push(entry)'
  const meta = `export const meta = { name: '${name}', description: 'Random' }`
  return `${meta}\nconst PATH = ${parts.path}\n${tell}\n${PRELUDE}\n${parts.body}\n`
}

/** `seen` is the accumulator that all parts of a script share. */
const PRELUDE = `let ids = 0
let children = 0
const seen = []
const newId = () => PATH + '/' + ++ids
const digest = value => {
  let sum = 7
  for (const c of JSON.stringify(value) ?? 'undefined') sum = (sum * 31 + c.charCodeAt(0)) % 9973
  return sum
}
const call = (prompt, options, settled) => {
  const id = newId()
  tell('i', id, PATH, prompt, options)
  return (settled ? agent.settled(prompt, options) : agent(prompt, options)).then(
    value => {
      const brief = settled ? { status: value.status, value: value.value, cause: value.cause } : value
      tell('d', id, brief)
      seen.push(digest(brief))
      return brief
    },
    error => {
      tell('d', id, { thrown: error.code })
      seen.push(error.code)
      throw error
    },
  )
}
const timer = (ms, fired) => {
  const id = newId()
  tell('t', id, PATH)
  return [id, setTimeout(() => { tell('d', id); seen.push(ms); fired('slept') }, ms)]
}
const sleep = ms => new Promise(resolve => timer(ms, resolve))
const deadline = async (ms, body) => {
  let set
  const late = new Promise(resolve => (set = timer(ms, resolve)))
  const value = await Promise.race([body(), late])
  clearTimeout(set[1])
  tell('c', set[0])
  return value
}
const child = (name, c) => workflow(name, { c, path: ++children + ':' + name })`

/** An async function of the context \`c\`: the text that tells places and turns apart. */
function expression(node: Node): string {
  switch (node.kind) {
    case 'call':
      return callText(node)
    case 'seq':
      return `async c => [${node.parts.map(part => `await (${expression(part)})(c)`).join(', ')}]`
    case 'parallel':
      return `c => parallel([${node.parts.map((part, i) => `() => (${expression(part)})(c + '.${i}')`).join(', ')}])`
    case 'all':
    case 'race':
      return `c => Promise.${node.kind}([${node.parts.map((part, i) => `(async () => (${expression(part)})(c + '.${i}'))()`).join(', ')}])`
    case 'pipeline':
      return `c => pipeline(Array.from({ length: ${node.items} }, (_, i) => i), ${node.stages
        .map(
          (stage, s) =>
            `(p, _, i) => (${expression(stage)})(c + '.${s}-' + i${node.feed ? " + '<' + digest(p)" : ''})`,
        )
        .join(', ')})`
    case 'loop':
      return `async c => { let p = 0; for (let i = 0; i < ${node.times}; i++) p = await (${expression(node.body)})(c + '.' + i${node.feed ? " + '<' + digest(p)" : ''}); return p }`
    case 'budget':
      return `async c => { const all = []; for (let i = 0; i < 4 && budget.spent() < ${node.tokens}; i++) all.push(await (${expression(node.body)})(c + '.' + i)); return all }`
    case 'guard':
      return `async c => { try { return await (${expression(node.body)})(c) } catch (e) { if (e.code === 'agent-limit') throw e; return await (${expression(node.fallback)})(c + '!') } }`
    case 'branch':
      return `async c => digest(await (${expression(node.test)})(c)) % 2 === 0 ? await (${expression(node.even)})(c + '+') : await (${expression(node.odd)})(c + '-')`
    case 'later':
      return `async c => { const first = (async () => (${expression(node.first)})(c))(); first.catch(() => {}); const then = await (${expression(node.meanwhile)})(c + '~'); return [await first, then] }`
    case 'sleep':
      return `c => sleep(${node.ms})`
    case 'deadline':
      return `c => deadline(${node.ms}, async () => (${expression(node.body)})(c))`
    case 'child':
      return `c => child('${childName(node.child)}', c)`
    case 'throw':
      return `async c => { throw new Error('thrown at ' + c) }`
  }
}

function callText(node: CallNode): string {
  const options = {
    label: node.label,
    ...(node.cache !== 'auto' && { cache: node.cache }),
    ...(node.schema && { schema: SCHEMA }),
    ...(node.refused && { nonsense: true }),
  }
  const where = node.twin ? '' : ' + c'
  const count = node.counting ? ` + '#' + seen.length` : ''
  return `c => call('${node.prompt}'${where}${count}, ${JSON.stringify(options)}, ${node.settled})`
}

/** What a call with a schema asks for. */
export const SCHEMA: object = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
