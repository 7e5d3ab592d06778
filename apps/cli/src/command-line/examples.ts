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
    'tutti run workflow.js --plan                    what it would ask for, without asking',
    'tutti run workflow.js --budget-cost 5 --budget-time 30m',
    'tutti run workflow.js --reuse ~/.claude/projects/-p/<session>/workflows/wf_1a2b3c4d-5e6.json',
  ],
  resume: [
    'tutti resume                         the last run of this project',
    'tutti resume wf_1a2b3c4d-5e6',
    'tutti resume --script fixed.js       with a changed script; unchanged calls keep their results',
    'tutti resume --max-agents 2000       with a higher limit',
    'tutti resume --dry-run               what would run again, and why',
    'tutti resume --auto-resume           and again, whenever the account can go on',
  ],
  fork: [
    'tutti fork wf_1a2b3c4d-5e6                          all results, for another ending',
    'tutti fork wf_1a2b3c4d-5e6 --at verify:security     that call and what comes after it anew',
    'tutti fork wf_1a2b3c4d-5e6 --at 12 --model opus',
  ],
  diff: ['tutti diff wf_1a2b3c4d-5e6 wf_2b3c4d5e-6f7', 'tutti diff wf_1a2b3c4d-5e6 wf_2b3c4d5e-6f7 --json'],
  prune: ['tutti prune --older-than 30d --dry-run', 'tutti prune --older-than 30d'],
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
