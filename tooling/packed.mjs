// Checks the packed tarballs, not the source tree: packed.mjs publint | attw
import { build } from './pnpm.mjs'
import { tool, typedExports, withTarballs } from './published.mjs'

const checks = {
  publint: ({ tarball }) => tool('publint', ['run', tarball, '--strict']),
  attw: ({ manifest, tarball }) =>
    typedExports(manifest).length === 0
      ? { ok: true }
      : tool('attw', [
          tarball,
          '--profile',
          'esm-only',
          '--no-definitely-typed',
          '--no-emoji',
          '--format',
          'ascii',
        ]),
}

const name = process.argv[2]
const check = checks[name]
if (!check) throw new Error(`packed.mjs: expected one of ${Object.keys(checks).join(', ')}`)

build()
withTarballs(packages => {
  for (const entry of packages) {
    const { ok, output } = check(entry)
    console.log(`${entry.manifest.name}: ${ok ? 'ok' : `failed\n${output}`}`)
    if (!ok) process.exitCode = 1
  }
})
