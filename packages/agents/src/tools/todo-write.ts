import { z } from 'zod'
import { defineTool, type Tool } from './tool.ts'

/** Keeps the agent's list of what is to be done. */
export const todoWriteTool: Tool = defineTool({
  name: 'TodoWrite',
  description: 'Replaces your list of tasks. Keep one for work of several steps, and keep it up to date.',
  input: z.object({
    todos: z.array(
      z.object({
        content: z.string().min(1),
        status: z.enum(['pending', 'in_progress', 'completed']),
        activeForm: z.string().optional().describe('What is being done while it is in progress'),
      }),
    ),
  }),
  readOnly: true,
  prepare: ({ todos }, workplace) => ({
    wish: { kind: 'free' },
    async run() {
      workplace.todos = todos.map(({ content, status }) => ({ content, status }))
      const open = todos.filter(({ status }) => status !== 'completed').length
      return { text: `The list has ${todos.length} tasks, ${open} of them open.` }
    },
  }),
})
