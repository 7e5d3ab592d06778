import { dirname, resolve } from 'node:path'
import { WorkflowNotFoundError } from '@tutti/runtime'
import type { WorkflowSource, WorkflowText } from '@tutti/runtime'
import { createDisk } from '../files/file-system.ts'
import { resolveRoot } from '../root.ts'
import { discoverWorkflows, type BundledWorkflow } from './discover-workflows.ts'
import { describeKnown } from './near-names.ts'
import { readWorkflowFile, type SavedWorkflow } from './saved-workflow.ts'
import { saveWorkflow } from './save-workflow.ts'

export interface WorkflowsOptions {
  cwd: string
  /** Default: `resolveRoot()`. */
  root?: string
  bundled?: readonly BundledWorkflow[]
}

/** The saved workflows of a working directory. Files are read anew at each call. */
export interface SavedWorkflows extends WorkflowSource {
  /** Nearest first; broken and shadowed ones included. */
  list(): Promise<SavedWorkflow[]>
  /** Saves a script under its own name; resolves to the path. Refuses to write through a symbolic link. */
  save(name: string, source: string, where: 'project' | 'user'): Promise<string>
}

export function openWorkflows(options: WorkflowsOptions): SavedWorkflows {
  const root = options.root ?? resolveRoot()
  const places = { cwd: resolve(options.cwd), root, bundled: options.bundled }
  return {
    async list() {
      return (await discoverWorkflows(places)).map(({ text: _, ...workflow }) => workflow)
    },
    save: (name, source, where) => saveWorkflow(createDisk(), places, { name, source, where }),
    async resolve(ref, from) {
      if ('scriptPath' in ref) return byPath(ref.scriptPath, from === undefined ? places.cwd : dirname(from))
      const all = await discoverWorkflows(places)
      // A broken file counts by its file name: to run a farther one in its place would be a surprise.
      const found = all.find(({ name }) => name === ref.name)
      if (found && found.error === undefined)
        return { source: found.text, ...(found.path === undefined ? {} : { path: found.path }) }
      throw unknownName(ref.name, all)
    },
  }
}

async function byPath(scriptPath: string, directory: string): Promise<WorkflowText> {
  const path = resolve(directory, scriptPath)
  if (!/\.m?js$/.test(path)) {
    throw new WorkflowNotFoundError(`${path} is no workflow: its name does not end in .js or .mjs.`)
  }
  const file = await readWorkflowFile(path, 'project')
  // A script that is there but does not parse is for the caller's check, which shows the place in it.
  if (file.text !== '' || file.error === undefined) return { source: file.text, path }
  throw new WorkflowNotFoundError(`There is no workflow script at ${path}: ${file.error}.`)
}

function unknownName(name: string, all: readonly SavedWorkflow[]): WorkflowNotFoundError {
  const known = [...new Set(all.filter(({ error }) => error === undefined).map(workflow => workflow.name))]
  const broken = all.find(workflow => workflow.name === name && workflow.error !== undefined)
  const told = broken
    ? ` ${broken.path ?? 'A bundled one'} would be it, but cannot be run: ${broken.error}.`
    : describeKnown(name, known)
  return new WorkflowNotFoundError(`There is no saved workflow "${name.slice(0, 80)}".${told}`, {
    hint: 'Saved workflows are *.js files in .claude/workflows of the project, and in ~/.claude/workflows ($CLAUDE_CONFIG_DIR/workflows).',
  })
}
