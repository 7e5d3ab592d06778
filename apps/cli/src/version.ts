import manifest from '../package.json' with { type: 'json' }

/** Version of the command. */
export const VERSION: string = manifest.version
