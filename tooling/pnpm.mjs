import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const windows = process.platform === 'win32'

/** Runs a command at the root of the workspace with inherited output; returns its exit code. */
export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
    env: environment(options.env),
  })
  if (error) throw error
  if (signal) console.error(`${command} ended by ${signal}`)
  return status ?? 1
}

/** Runs the pinned pnpm, which need not be installed; stops this process if it fails. */
export function pnpm(args, options = {}) {
  const status = run('npx', ['-y', packageManager, ...args], { shell: windows, ...options })
  if (status !== 0) process.exit(status)
}

/** Installs dependencies unless node_modules already holds what the lockfile says. */
export function ensureInstalled() {
  const installed = `${root}/node_modules/.pnpm/lock.yaml`
  const wanted = readFileSync(`${root}/pnpm-lock.yaml`, 'utf8')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return
  pnpm(['install', '--frozen-lockfile'])
}

/** Builds what changed; silent unless it fails. */
export function build() {
  const { status, stdout } = spawnSync('npx', ['-y', packageManager, 'run', 'build'], {
    cwd: root,
    shell: windows,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: environment(),
  })
  if (status === 0) return
  process.stdout.write(stdout ?? '')
  process.exit(status ?? 1)
}

function environment(extra) {
  return { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...extra }
}

/** Ends with a clear message on a Node that is too old for the tools. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Tutti needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
