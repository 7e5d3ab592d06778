export { probeBackends } from './probe-backends.ts'
export type { BackendReport, ProbeOptions } from './probe-backends.ts'
export { probeGit } from './probe-git.ts'
export type { GitReport } from './probe-git.ts'
