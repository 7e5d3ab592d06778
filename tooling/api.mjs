// Writes the public API of each published entry point to etc/*.api.md, or with --check compares.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { build, root } from './pnpm.mjs'
import { publishedPackages, typedExports } from './published.mjs'

const check = process.argv.includes('--check')

build()
for (const { folder, manifest } of publishedPackages()) {
  const entries = entryPoints(manifest)
  if (entries.length === 0) continue
  const etc = join(folder, 'etc')
  mkdirSync(etc, { recursive: true })
  for (const { report, types } of entries) extract({ folder, report, types: join(folder, types) })
  dropUnknown(etc, new Set(entries.map(entry => `${entry.report}.api.md`)))
}

function entryPoints(manifest) {
  const base = manifest.name.replace('@tutti/', '')
  return typedExports(manifest).map(([path, { types }]) => ({
    types,
    report: path === '.' ? base : `${base}-${path.slice(2)}`,
  }))
}

function extract({ folder, report, types }) {
  const temporary = join(folder, 'node_modules/.api-extractor')
  const config = ExtractorConfig.prepare({
    configObjectFullPath: join(folder, 'api-extractor.json'),
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: compilerOptions(types) },
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder: join(folder, 'etc'),
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: {
          default: { logLevel: 'warning' },
          'ae-forgotten-export': { logLevel: 'warning', addToApiReportFile: true },
          'ae-missing-release-tag': { logLevel: 'none' },
          'ae-undocumented': { logLevel: 'none' },
        },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  })
  const result = Extractor.invoke(config, {
    localBuild: !check,
    messageCallback: message => {
      if (message.messageId.startsWith('console-') && message.logLevel !== 'error') message.handled = true
    },
  })
  const file = relative(root, join(folder, 'etc', `${report}.api.md`))
  if (result.succeeded) return console.log(`${file}: ${result.apiReportChanged ? 'written' : 'up to date'}`)
  console.error(
    result.apiReportChanged
      ? `${file}: out of date; run \`pnpm api\` and review the change`
      : `${file}: failed`,
  )
  process.exitCode = 1
}

function compilerOptions(types) {
  return {
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      lib: ['es2023', 'esnext.disposable'],
      types: ['node'],
      strict: true,
      skipLibCheck: true,
    },
    files: [types],
  }
}

/** A report whose entry point is gone would otherwise stay forever. */
function dropUnknown(etc, known) {
  for (const file of readdirSync(etc).filter(name => name.endsWith('.api.md') && !known.has(name))) {
    if (check) {
      console.error(`${relative(root, join(etc, file))}: no such entry point`)
      process.exitCode = 1
    } else rmSync(join(etc, file))
  }
}
