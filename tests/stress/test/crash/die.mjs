// Loaded before the command (`node --import`): kills its process with SIGKILL at one step of its work with files.
// TUTTI_TEST_DIE: {"file": "journal", "step": "write", "moment": "amid", "count": 3}.
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** What a path is of a run, in both layouts; temporary files count as what they become. */
const FILES = {
  journal: /journal\.jsonl$/,
  record: /(^|\/)\.?(wf_[0-9a-f-]+|state)\.json(\.[0-9a-f]+\.tmp)?$/,
  output: /output\.json(\.[0-9a-f]+\.tmp)?$/,
  result: /\/results\/\.?[0-9a-f]{64}\.json(\.[0-9a-f]+\.tmp)?$/,
  lock: /\.lock(\.\d+|\.[0-9a-f]+\.tmp)?$/,
  script: /\/scripts\/.*\.js(\.[0-9a-f]+\.tmp)?$/,
}

const wanted = JSON.parse(process.env.TUTTI_TEST_DIE)
delete process.env.TUTTI_TEST_DIE
let left = wanted.count

function die() {
  process.kill(process.pid, 'SIGKILL')
  // Nothing more may happen until the signal has come.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

/** Whether this step is the one. */
function isTurn(path, step) {
  return step === wanted.step && FILES[wanted.file].test(String(path)) && --left === 0
}

for (const step of ['rename', 'link', 'unlink']) {
  const original = fs[step]
  fs[step] = async (from, ...rest) => {
    const turn = isTurn(step === 'unlink' ? from : rest[0], step)
    if (turn && wanted.moment !== 'after') die()
    const done = await original(from, ...rest)
    if (turn) die()
    return done
  }
}

const { open } = fs
fs.open = async (path, ...rest) => {
  const handle = await open(path, ...rest)
  const { write } = handle
  handle.write = async (bytes, ...place) => {
    if (!isTurn(path, 'write')) return write.call(handle, bytes, ...place)
    const [offset = 0, length = bytes.length - offset, position = null] = place
    if (wanted.moment === 'before') die()
    const part = wanted.moment === 'amid' ? Math.floor(length / 2) : length
    await write.call(handle, bytes, offset, part, position)
    return die()
  }
  for (const step of ['sync', 'datasync', 'truncate']) {
    const original = handle[step]
    handle[step] = async (...given) => {
      const turn = isTurn(path, step)
      if (turn && wanted.moment !== 'after') die()
      const done = await original.apply(handle, given)
      if (turn) die()
      return done
    }
  }
  return handle
}
syncBuiltinESMExports()
