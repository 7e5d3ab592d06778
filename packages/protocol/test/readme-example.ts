import { decodeLines, TaskTracker } from '@tutti/protocol'

const tracker = new TaskTracker()

for await (const line of decodeLines(process.stdin)) {
  if (!line.ok) process.stderr.write(`${line.message}\n`)
  else if (tracker.apply(line.value, Date.now())) {
    for (const task of tracker.running()) {
      const ended = [...task.agents.values()].filter(agent => agent.state !== 'start')
      process.stdout.write(`${task.workflowName}: ${ended.length} of ${task.agents.size} agents\n`)
    }
  }
}
