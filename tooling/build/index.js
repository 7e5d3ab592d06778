const shared = {
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  sourcemap: false,
  hash: false,
  report: false,
}

/**
 * A published library: one module and one declaration file per entry; dependencies stay imports.
 * `keep` names files in `dist` that something else writes.
 */
export function library({ entry, keep = [] }) {
  return { ...shared, entry, clean: ['dist/*', ...keep.map(file => `!dist/${file}`)], dts: { oxc: true } }
}

/** Files that are started, not imported: no declarations. */
export function program({ entry }) {
  return { ...shared, entry, dts: false }
}
