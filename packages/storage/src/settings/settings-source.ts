/** Where settings come from, the weakest first. */
export const SETTINGS_ORDER = ['user', 'project', 'local', 'flag', 'env', 'managed'] as const

/** Where a setting comes from. */
export type SettingsSourceName = (typeof SETTINGS_ORDER)[number]

/** One place that sets something. */
export interface SettingsOrigin {
  source: SettingsSourceName
  /** The file, or the name of the environment variable. */
  place: string
}

/** One source with what it sets. */
export interface SettingsLayer extends SettingsOrigin {
  values: Record<string, unknown>
}
