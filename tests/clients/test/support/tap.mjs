// Stands between a client and the command: passes everything on and writes down who said which line.
// Started by a file of its own per test, so that neither arguments nor environment tell the command of it.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'

/** Runs `program` in place of this process. `file`: the recording, one JSON object a line. */
export function tap({ program, file }) {
  const child = spawn(process.execPath, [program, ...process.argv.slice(2)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  note({ pid: child.pid, args: process.argv.slice(2) })
  follow(process.stdin, child.stdin, 'host')
  follow(child.stdout, process.stdout, 'session')
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      note({ signal })
      child.kill(signal)
    })
  }
  child.on('error', error => {
    note({ failed: error.message })
    process.exit(127)
  })
  child.on('close', (code, signal) => {
    note({ exit: code ?? signal })
    process.exitCode = code ?? 143
    process.stdin.destroy()
  })

  function follow(from, to, name) {
    let rest = Buffer.alloc(0)
    from.on('data', chunk => {
      rest = Buffer.concat([rest, chunk])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        note({ from: name, at: Date.now(), line: rest.subarray(0, end).toString('utf8') })
        rest = rest.subarray(end + 1)
      }
      if (!to.write(chunk)) {
        from.pause()
        to.once('drain', () => from.resume())
      }
    })
    from.on('end', () => {
      if (rest.length > 0) note({ from: name, at: Date.now(), line: rest.toString('utf8') })
      note({ ended: name })
      if (name === 'host') to.end()
    })
    to.on('error', () => {
      note({ gone: name })
      from.destroy()
    })
  }

  function note(entry) {
    appendFileSync(file, `${JSON.stringify(entry)}\n`)
  }
}
