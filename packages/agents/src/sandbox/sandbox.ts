/** Where a command works. */
export interface SandboxPlace {
  /** May be written, but for what makes others run code. */
  root: string
  /** As the root, where they are there. */
  additional?: readonly string[]
  /** In one of them. */
  cwd: string
}

/** Confines commands. A port: `bubblewrap` is the one that comes along. */
export interface Sandbox {
  readonly name: string
  /** The command line that runs `argv` confined: first the program, then its arguments. */
  wrap(argv: readonly string[], place: SandboxPlace): Promise<string[]>
}
