import picocolors from 'picocolors'

export type Colors = ReturnType<typeof picocolors.createColors>

export interface ColorChoice {
  env: Record<string, string | undefined>
  isTty: boolean
  /** `--color` or `--no-color`; absent: neither was given. */
  flag?: boolean
}

/** The flag wins, then `NO_COLOR`, then `FORCE_COLOR`, then whether it is a terminal that knows colours. */
export function wantsColor({ env, isTty, flag }: ColorChoice): boolean {
  if (flag !== undefined) return flag
  if (env['NO_COLOR']) return false
  const force = env['FORCE_COLOR']
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  return isTty && env['TERM'] !== 'dumb'
}

export function createColors(enabled: boolean): Colors {
  return picocolors.createColors(enabled)
}
