// Starts a process group, tells it to the watchdog, and waits to be killed.
import { spawn } from 'node:child_process'
const { createProcessGroups } = await import(process.argv[2])
const child = spawn('/bin/sh', ['-c', 'sleep 300 & sleep 300'], { detached: true, stdio: 'ignore' })
createProcessGroups().add(child.pid)
process.stdout.write(`${child.pid}\n`)
setInterval(() => {}, 1000)
