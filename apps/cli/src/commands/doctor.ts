import { chooseDefaultBackend, type DefaultBackend } from '@tutti/agents'
import {
  probeBackends,
  probeGit,
  probeSandbox,
  type BackendReport,
  type GitReport,
  type SandboxReport,
} from '@tutti/agents/probe'
import type { DoctorFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import type { Colors } from '../render/colors.ts'
import { padText, safeLine, textWidth, wrapText } from '../render/text-width.ts'
import { openProject } from '../setup/project.ts'
import { nextSteps, type NextStep } from './next-steps.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

const HEADING = 'What there is here. ok: can be used; –: is missing, which only matters if you want it.'

interface Report {
  node: string
  git: GitReport
  sandbox: SandboxReport
  backends: BackendReport[]
  default: DefaultBackend
  next: NextStep[]
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
    sandbox: probeSandbox(env),
    backends,
    default: chosen,
    next: nextSteps(backends, chosen, terminal.typed('tutti')),
  }
  const columns = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) - 1 : Number.POSITIVE_INFINITY
  const text =
    flags.json === true ? JSON.stringify(report) : lines(report, terminal.outColors, columns).join('\n')
  await writeOut(io.stdout, `${text}\n`)
  return EXIT.completed
}

function lines(
  { node, git, sandbox, backends, default: chosen, next }: Report,
  colors: Colors,
  columns: number,
): string[] {
  const rows = [
    { name: 'node', usable: true, text: node },
    {
      name: 'git',
      usable: git.usable,
      text: [git.version, git.note ?? 'agents can have worktrees'].join('  '),
    },
    { name: 'sandbox', usable: sandbox.usable, text: sandboxText(sandbox) },
    ...shownBackends(backends).map(one => ({ name: one.name, usable: one.usable, text: backendText(one) })),
  ]
  const width = Math.max(...rows.map(({ name }) => textWidth(name)))
  return [
    ...wrapText(HEADING, columns).map(line => colors.dim(line)),
    '',
    ...rows.map(({ name, usable, text }) => {
      const mark = usable ? colors.green('ok') : colors.dim('–')
      return `${padText(name, width)}  ${mark}${usable ? '' : ' '}  ${safeLine(text)}`.trimEnd()
    }),
    '',
    ...wrapText(safeLine(chosen.reason), columns),
    '',
    'Next:',
    ...next.flatMap(({ what, commands }, at) => [
      `  ${at + 1}. ${what}`,
      ...commands.map(command => `       ${colors.bold(command)}`),
    ]),
  ]
}

function sandboxText({ name, version, note }: SandboxReport): string {
  const tool = version === undefined ? name : `${name} ${version}`
  return `${tool}  ${note ?? 'commands of agents can be confined (tutti.sandbox)'}`
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
