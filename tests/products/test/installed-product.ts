import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Real products are hundreds of megabytes: they are fetched when asked for, and kept. */
export const WITH_PRODUCTS: boolean = process.env['TUTTI_PRODUCTS'] === '1'

const FOLDER = process.env['TUTTI_PRODUCTS_DIR'] ?? join(homedir(), '.cache', 'tutti-products')

/** Path of the command, from the package of exactly that version. */
export async function installedProduct(command: string, spec: string): Promise<string> {
  const path = join(FOLDER, 'node_modules', '.bin', command)
  if (existsSync(path)) return path
  await mkdir(FOLDER, { recursive: true })
  const args = [
    'install',
    '--no-audit',
    '--no-fund',

    '--save-exact',
    '--prefix',
    FOLDER,
    spec,
  ]
  await promisify(execFile)('npm', args)
  return path
}
