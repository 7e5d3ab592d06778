/** Published manifests carry no development fields: they name packages that exist only in this workspace. */
function beforePacking(manifest) {
  const { devDependencies, scripts, ...published } = manifest
  return published
}

export const hooks = { beforePacking }
