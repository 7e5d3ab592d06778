import { chooseDefaultBackend, type DefaultBackend } from '@tutti/agents'
import { probeBackends, probeGit, type BackendReport, type GitReport } from '@tutti/agents/probe'
import type { DoctorFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import type { Colors } from '../render/colors.ts'
import { padText, safeLine, textWidth } from '../render/text-width.ts'
import { openProject } from '../setup/project.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

interface Report {
  node: string
  git: GitReport
  backends: BackendReport[]
  default: DefaultBackend
  next: string[]
}

/** Tells which backends can be used here, one line each, and what to do next. Nothing is spent or changed. */
export async function doctorCommand(
  flags: DoctorFlags,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const project = await openProject(io, {
    onWarning: message => io.stderr.write(`warning ${message}\n`),
    tellIgnored: true,
    ...(flags.settings !== undefined && { settings: flags.settings }),
    ...(flags.trustProject !== undefined && { trustProject: flags.trustProject }),
  })
  const { cwd, env, settings } = project
  const [git, backends] = await Promise.all([
    probeGit(cwd, env),
    probeBackends({ env, projectRoot: cwd, settings }),
  ])
  const chosen = chooseDefaultBackend(env, settings)
  const report: Report = {
    node: process.versions.node,
    git,
    backends,
    default: chosen,
    next: nextSteps(backends, chosen),
  }
  const text = flags.json === true ? JSON.stringify(report) : lines(report, terminal.outColors).join('\n')
  await writeOut(io.stdout, `${text}\n`)
  return EXIT.completed
}

function lines({ node, git, backends, default: chosen, next }: Report, colors: Colors): string[] {
  const rows = [
    { name: 'node', usable: true, text: node },
    {
      name: 'git',
      usable: git.usable,
      text: [git.version, git.note ?? 'agents can have worktrees'].join('  '),
    },
    ...shownBackends(backends).map(one => ({ name: one.name, usable: one.usable, text: backendText(one) })),
  ]
  const width = Math.max(...rows.map(({ name }) => textWidth(name)))
  return [
    ...rows.map(({ name, usable, text }) => {
      const mark = usable ? colors.green('ok') : colors.dim('–')
      return `${padText(name, width)}  ${mark}${usable ? '' : ' '}  ${safeLine(text)}`.trimEnd()
    }),
    '',
    safeLine(chosen.reason),
    '',
    'Next:',
    ...next.map(step => `  ${step}`),
  ]
}

/** Of the many products that speak ACP only those that are there. */
function shownBackends(backends: BackendReport[]): BackendReport[] {
  return backends.filter(({ name, usable }) => usable || !name.startsWith('acp:'))
}

function backendText({ version, keys, note, kind, usable }: BackendReport): string {
  const login =
    kind === 'cli' && usable && keys.length === 0 ? 'no key set: it must be logged in by itself' : undefined
  const set = keys.length === 0 ? undefined : `${keys.join(', ')} set`
  return [version, set, note, login].filter(text => text !== undefined).join('; ')
}

/** What somebody who is new here would do, in this order. */
function nextSteps(backends: BackendReport[], chosen: DefaultBackend): string[] {
  const usable = backends.find(({ name, usable }) => usable && name === chosen.name)
  const real = usable !== undefined && chosen.name !== 'simulate'
  if (real) return [`tutti run workflow.js                     agents run on ${safeLine(chosen.name)}`]
  const missing = chosen.name !== 'simulate' && chosen.offer === undefined
  const installed = backends.filter(({ kind, usable }) => usable && (kind === 'cli' || kind === 'acp'))
  return [
    ...(missing ? [`The chosen backend ${safeLine(chosen.name)} cannot be used: see its line above.`] : []),
    ...installed.map(({ name }) => `tutti run workflow.js --backend ${safeLine(name)}`),
    'export ANTHROPIC_API_KEY=…                then: tutti run workflow.js   (or OPENAI_API_KEY)',
    ...(installed.length > 0
      ? []
      : [
          'npm install -g @openai/codex              then: codex login, and tutti run workflow.js --backend cli:codex',
        ]),
    'tutti run workflow.js --backend simulate  to see the flow with made-up answers, free of charge',
  ]
}
