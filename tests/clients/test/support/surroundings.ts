import type { MockModel } from '@tutti-internal/mock-model'
import { ProjectFolder } from '@tutti-internal/e2e/installed/project-folder'
import { startScriptedModel, type Line } from './model-script.ts'
import { TappedProgram } from './tapped-program.ts'

export interface SurroundingsOptions {
  /** What the model says. */
  model: Line[]
  /** Name → script of saved workflows. */
  workflows?: Record<string, string>
  /** Further files of the project. */
  files?: Record<string, string>
  env?: Record<string, string>
}

/** A user's project, a model server and the recorded command: all that a client needs. */
export interface Surroundings extends AsyncDisposable {
  project: ProjectFolder
  model: MockModel
  program: TappedProgram
  env: Record<string, string>
}

export async function createSurroundings(options: SurroundingsOptions): Promise<Surroundings> {
  const model = await startScriptedModel(options.model)
  const saved = Object.entries(options.workflows ?? {}).map(
    ([name, script]) => [`.claude/workflows/${name}.js`, script] as const,
  )
  const project = new ProjectFolder({ ...Object.fromEntries(saved), ...options.files })
  const program = new TappedProgram(project.base)
  return {
    project,
    model,
    program,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: project.root,
      CLAUDE_CONFIG_DIR: project.root,
      ANTHROPIC_API_KEY: 'key-of-the-test',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_MODEL: 'mock-model',
      TUTTI_MAX_CONCURRENT_AGENTS: '16',
      ...options.env,
    },
    async [Symbol.asyncDispose]() {
      await model.close()
      project[Symbol.dispose]()
    },
  }
}
