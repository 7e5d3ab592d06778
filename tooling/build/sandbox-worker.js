import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const runtime = new URL('../../packages/runtime/', import.meta.url)
const source = fileURLToPath(new URL('src/sandbox/worker.ts', runtime))
const target = fileURLToPath(new URL('dist/sandbox-worker.js', runtime))

/**
 * Writes the program of the sandbox thread, for a release and for tests alike: Node 20 starts no
 * TypeScript in a worker. npm packages stay imports. The file is replaced as a whole, because
 * other processes may be starting it.
 */
export async function bundleSandboxWorker() {
  if (!existsSync(source)) return
  const temporary = `${target}.${process.pid}.tmp`
  const build = await rolldown({
    input: source,
    platform: 'node',
    external: isPackage,
    resolve: { conditionNames: ['@tutti/source', 'node', 'import', 'default'] },
    transform: { target: 'node20' },
  })
  try {
    await mkdir(dirname(target), { recursive: true })
    await build.write({ file: temporary, format: 'esm', codeSplitting: false })
    await rename(temporary, target)
  } finally {
    await build.close()
    await rm(temporary, { force: true })
  }
}

/** Workspace packages are bundled from source, and so is what the compiler adds for `using`. */
function isPackage(id) {
  return /^[\w@]/.test(id) && !/^@tutti\/|^@oxc-project\//.test(id)
}
