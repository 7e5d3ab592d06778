/** Examples below the help of each command. */
export const EXAMPLES: Record<string, string[]> = {
  tutti: [
    'tutti run examples/review-changes.js          run a script',
    'tutti run review-changes target=src           run a saved workflow with arguments',
    'tutti resume                                  go on with the last run; finished agents cost nothing',
    'tutti check workflow.js                       look at a script without running it',
  ],
  run: [
    'tutti run workflow.js',
    'tutti run audit-routes dir=src/routes strict=true',
    `tutti run workflow.js --args '{"files":["a.ts","b.ts"]}' --json > result.json`,
    'tutti run workflow.js --backend simulate --concurrency 4',
    'tutti run checks.js --allow-shell',
  ],
  resume: [
    'tutti resume                         the last run of this project',
    'tutti resume wf_1a2b3c4d-5e6',
    'tutti resume --script fixed.js       with a changed script; unchanged calls keep their results',
    'tutti resume --max-agents 2000       with a higher limit',
  ],
  check: ['tutti check workflow.js', 'tutti check .claude/workflows/*.js --json'],
  ls: ['tutti ls', 'tutti ls --workflows', 'tutti ls --json | jq ".[0].runId"'],
  show: ['tutti show wf_1a2b3c4d-5e6', 'tutti show --result', 'tutti show wf_1a2b3c4d-5e6 --journal'],
  stop: ['tutti stop wf_1a2b3c4d-5e6'],
  config: ['tutti config', 'tutti config tutti.concurrency'],
  completion: [
    'source <(tutti completion bash)',
    'tutti completion zsh > "${fpath[1]}/_tutti"',
    'tutti completion fish > ~/.config/fish/completions/tutti.fish',
  ],
}
