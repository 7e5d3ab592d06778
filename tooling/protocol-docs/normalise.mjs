// What differs from recording to recording, made the same: ids, times, folders.
const SESSION = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const TASKS = ['w4k9z0q2m', 'w7d2x8b1n', 'w1h5v3c6t']
const BASE_TIME = 1785000000000
const DURATION = 1200
const TIMES = /At$|^(start|end)_time$/
const DURATIONS = /^(duration_ms|duration_api_ms|durationMs)$/
/** Fields of a row in the order of the table above them; they come as they become known. */
const ROW = ['type', 'index', 'agentId', 'label', 'state', 'phaseIndex', 'phaseTitle', 'agentType', 'model']

const PATTERNS = [
  {
    pattern: /\bwf_[0-9a-f]{8}-[0-9a-f]{3}\b/g,
    names: ['wf_3f9a2c41-b7e', 'wf_81d04e6b-2ac', 'wf_c25f7790-91d'],
  },
  { pattern: /\btoolu_\w+/g, names: numbered('toolu_') },
  { pattern: /\bmsg_\w+/g, names: numbered('msg_') },
  { pattern: /\bv2:[0-9a-f]{64}\b/g, names: ['v2:9b1c…', 'v2:47e0…', 'v2:d853…', 'v2:02fa…'] },
  { pattern: /\ba[0-9a-f]{16}\b/g, names: numbered('a00000000000000') },
]
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/** A function that normalises values; the same id becomes the same name, in the order in which they come. */
export function createNormaliser({ project, store }, frames) {
  const sessions = idsIn(frames, ['session_id'])
  const tasks = idsIn(frames, ['task_id', 'taskId'])
  const taskNames = new Map()
  const known = PATTERNS.map(() => new Map())
  const uuids = new Map()

  const nameOf = (names, map, found) => {
    if (!map.has(found)) map.set(found, names[map.size] ?? `${names[0]}-${map.size + 1}`)
    return map.get(found)
  }
  const text = value =>
    PATTERNS.reduce(
      (all, { pattern, names }, at) => all.replace(pattern, found => nameOf(names, known[at], found)),
      value
        .replaceAll(slugOf(project), '-home-ada-shop')
        .replaceAll(project, '/home/ada/shop')
        .replaceAll(store, '/home/ada/.claude')
        .replace(UUID, found => (sessions.has(found) ? SESSION : uuidOf(uuids, found)))
        .replace(/\bw\w{8}\b/g, found => (tasks.has(found) ? nameOf(TASKS, taskNames, found) : found)),
    )

  return function normalise(value, key = '') {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return TIMES.test(key) ? BASE_TIME : DURATIONS.test(key) ? DURATION : value
    if (Array.isArray(value)) return value.map(item => normalise(item))
    if (value === null || typeof value !== 'object') return value
    const entries = value.type === 'workflow_agent' ? inOrder(value) : Object.entries(value)
    return Object.fromEntries(entries.map(([name, item]) => [name, normalise(item, name)]))
  }
}

function inOrder(row) {
  const rest = Object.keys(row).filter(name => !ROW.includes(name))
  return [...ROW.filter(name => name in row), ...rest.sort()].map(name => [name, row[name]])
}

/** The values of these fields, however deep. */
function idsIn(value, fields, found = new Set()) {
  if (value === null || typeof value !== 'object') return found
  for (const [name, item] of Object.entries(value)) {
    if (fields.includes(name) && typeof item === 'string') found.add(item)
    else idsIn(item, fields, found)
  }
  return found
}

function uuidOf(uuids, found) {
  if (!uuids.has(found))
    uuids.set(found, `00000000-0000-4000-8000-${String(uuids.size + 1).padStart(12, '0')}`)
  return uuids.get(found)
}

function slugOf(path) {
  return path.replace(/[^a-zA-Z0-9]/g, '-')
}

function numbered(prefix) {
  return Array.from({ length: 40 }, (_, n) => `${prefix}${String(n + 1).padStart(2, '0')}`)
}
