/** Products that a profile is there for, in the order in which one is looked for. */
export const CLI_PRODUCTS: Readonly<Record<string, { maxTurns: boolean }>> = {
  claude: { maxTurns: true },
  codex: { maxTurns: false },
  gemini: { maxTurns: false },
  qwen: { maxTurns: true },
  opencode: { maxTurns: true },
  codebuddy: { maxTurns: true },
}

/** Commands that speak the Agent Client Protocol. */
export const ACP_PRODUCTS: Readonly<Record<string, { command: string; args: string[] }>> = {
  opencode: { command: 'opencode', args: ['acp'] },
  gemini: { command: 'gemini', args: ['--acp', '--skip-trust'] },
  qwen: { command: 'qwen', args: ['--acp'] },
  claude: { command: 'claude-agent-acp', args: [] },
  codex: { command: 'codex-acp', args: [] },
  copilot: { command: 'copilot', args: ['--acp', '--stdio'] },
  cursor: { command: 'cursor-agent', args: ['acp'] },
  goose: { command: 'goose', args: ['acp'] },
  kimi: { command: 'kimi', args: ['acp'] },
  kiro: { command: 'kiro-cli', args: ['acp'] },
}
