import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inject } from 'vitest'
import type { Installation } from '@tutti-internal/e2e/installed/setup'
import type { CheckOptions, RecordedLine } from '@tutti-internal/frame-check'
import { checkFrames, problemText } from '@tutti-internal/frame-check'

const TAP = new URL('tap.mjs', import.meta.url).href

interface Noted {
  from?: RecordedLine['from']
  /** Milliseconds since the epoch. */
  at?: number
  line?: string
  pid?: number
  args?: string[]
  exit?: number | string
}

/** The installed command behind a tap that records what it hears and says. */
export class TappedProgram {
  /** What a client is told to start. */
  readonly path: string
  readonly #file: string

  constructor(folder: string) {
    this.path = join(folder, 'tapped.mjs')
    this.#file = join(folder, 'recording.jsonl')
    const { program }: Installation = inject('installation')
    writeFileSync(this.#file, '')
    writeFileSync(
      this.path,
      `#!/usr/bin/env node\nimport { tap } from ${JSON.stringify(TAP)}\n` +
        `tap(${JSON.stringify({ program, file: this.#file })})\n`,
      { mode: 0o700 },
    )
  }

  /** Waits until every process that was started has ended; gives their exit codes. */
  async exits(seconds: number = 20): Promise<(number | string)[]> {
    const end = Date.now() + seconds * 1_000
    for (;;) {
      const runs = this.#runs()
      const exits = runs.flatMap(run => run.find(({ exit }) => exit !== undefined)?.exit ?? [])
      if (runs.length > 0 && exits.length === runs.length) return exits
      if (Date.now() > end) throw new Error(`a process has not ended within ${seconds} s\n${this.text()}`)
      await wait(20)
    }
  }

  /** Waits until the first process has written a frame that fits. */
  async seen(fits: (frame: Record<string, unknown>) => boolean, seconds: number = 20): Promise<void> {
    const end = Date.now() + seconds * 1_000
    while (!this.frames().some(fits)) {
      if (Date.now() > end) throw new Error(`not seen within ${seconds} s\n${this.text().slice(-4_000)}`)
      await wait(20)
    }
  }

  /** What each process heard and said, in order. */
  recordings(): (RecordedLine & { at: number })[][] {
    return this.#runs().map(run =>
      run.flatMap(({ from, line, at }) =>
        from === undefined || line === undefined ? [] : [{ from, line, at: at ?? 0 }],
      ),
    )
  }

  /** The frames that one process wrote; by default the first. */
  frames(run: number = 0): Record<string, unknown>[] {
    return (this.recordings()[run] ?? [])
      .filter(({ from }) => from === 'session')
      .map(({ line }) => JSON.parse(line) as Record<string, unknown>)
  }

  /** Arguments of each process. */
  args(): string[][] {
    return this.#runs().map(([first]) => first?.args ?? [])
  }

  /** Process ids of the sessions. */
  pids(): number[] {
    return this.#runs().flatMap(([first]) => first?.pid ?? [])
  }

  /** What is wrong with the recordings; empty when they keep every rule. */
  problems(options: CheckOptions): string {
    return this.recordings()
      .map(recording => problemText(checkFrames(recording, options)))
      .join('')
  }

  text(): string {
    return readFileSync(this.#file, 'utf8')
  }

  #runs(): Noted[][] {
    const runs: Noted[][] = []
    const text = this.text()
    for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
      if (line === '') continue
      const noted = JSON.parse(line) as Noted
      if (noted.pid !== undefined) runs.push([])
      runs.at(-1)?.push(noted)
    }
    return runs
  }
}
