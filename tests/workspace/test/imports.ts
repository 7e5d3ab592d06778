import { readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'

/** Module specifiers that a TypeScript file imports or re-exports, type-only and literal dynamic ones included. */
export function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const { errors, module } = parseSync(file, text, { lang: 'ts', sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(entry => entry.moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) =>
      literal(text.slice(moduleRequest.start, moduleRequest.end)),
    ),
    ...typeImports(text),
  ]
}

/** `import('x')` in a type position, which the module record does not list. */
function typeImports(text: string): string[] {
  return [...text.matchAll(/\bimport\((['"])([^'"\n]+)\1\)/g)].flatMap(match => match[2] ?? [])
}

function literal(source: string): string[] {
  const value = /^(['"])(.*)\1$/.exec(source)?.[2]
  return value === undefined ? [] : [value]
}
