import { spawn, type ChildProcess } from 'node:child_process'

/** Ends process groups when this process is gone, whatever ended it. */
export interface Watchdog {
  watch(group: number): void
  forget(group: number): void
}

/**
 * Reads `add <group>` and `del <group>` until its input ends, which it does with the process that holds the
 * other end; then kills what is left. It hears no signals, so that a terminal's Ctrl-C does not end it first.
 */
const SCRIPT = `trap '' INT TERM HUP QUIT
left=
while read -r what group; do
  case $what in
    add) left="$left $group" ;;
    del) kept=; for one in $left; do [ "$one" = "$group" ] || kept="$kept $one"; done; left=$kept ;;
  esac
done
for one in $left; do kill -9 "-$one" 2>/dev/null; done
exit 0`

/** One small process for all groups, started with the first. Without `sh` it does nothing. */
export function createWatchdog(): Watchdog {
  let dog: ChildProcess | undefined

  function tell(line: string): void {
    const input = dog?.stdin
    if (input?.writable) input.write(`${line}\n`)
  }

  return {
    watch(group) {
      if (process.platform === 'win32') return
      dog ??= start()
      tell(`add ${group}`)
    },
    forget: group => tell(`del ${group}`),
  }
}

/** In a session of its own and without holding this process. */
function start(): ChildProcess {
  const dog = spawn('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  })
  dog.on('error', () => {})
  dog.stdin?.on('error', () => {})
  dog.unref()
  ;(dog.stdin as { unref?: () => void } | null)?.unref?.()
  return dog
}
