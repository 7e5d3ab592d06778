import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pnpm, root } from './pnpm.mjs'

/** The packages that go to the registry. */
export function publishedPackages() {
  return ['packages', 'apps']
    .flatMap(group => readdirSync(join(root, group)).map(name => join(root, group, name)))
    .map(folder => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => !manifest.private)
}

/** Export paths of a package that have both declarations and code, in the order of its manifest. */
export function typedExports({ exports }) {
  return Object.entries(exports ?? {}).filter(([, target]) => target.types && target.default)
}

/** Packs the published packages as a release would, into a folder that is gone after the callback. */
export function withTarballs(callback) {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-pack-'))
  try {
    const filters = ['--filter', './packages/*', '--filter', './apps/*']
    pnpm(['-r', ...filters, 'pack', '--pack-destination', folder, '--json'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return callback(
      publishedPackages().map(({ manifest }) => ({ manifest, tarball: join(folder, tarballName(manifest)) })),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a tool from node_modules/.bin; its output is returned, not shown. */
export function tool(name, args) {
  const { status, error, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', name), args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (error) throw error
  return { ok: status === 0, output: stdout + stderr }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function tarballName({ name, version }) {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}
