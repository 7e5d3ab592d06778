import { z } from 'zod'
import { knownFile, storeText } from './file-change.ts'
import { defineTool, type Tool } from './tool.ts'
import { shownPath, writablePath } from './workplace.ts'

/** Makes a file or replaces one that was read. */
export const writeTool: Tool = defineTool({
  name: 'Write',
  description:
    'Writes a file of the project, with its folders. An existing file is replaced; it must have been read before. Prefer Edit for changes.',
  input: z.object({
    file_path: z.string().min(1).describe('Absolute, or relative to the working directory'),
    content: z.string(),
  }),
  readOnly: false,
  async prepare({ file_path, content }, workplace) {
    const path = await writablePath(workplace, file_path)
    return {
      wish: { kind: 'edit', path },
      summary: shownPath(workplace, path),
      async run() {
        const before = await knownFile(workplace, path, file_path)
        await storeText(workplace, path, content)
        return { text: `${before ? 'Replaced' : 'Created'} ${shownPath(workplace, path)}.` }
      },
    }
  },
})
