import { splitCommand, type CommandWord } from './command-parts.ts'

/** Programs that run the command in their arguments. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  'builtin busybox command doas env exec ionice nice nohup setsid stdbuf sudo time timeout xargs'.split(' '),
)

const SHELLS = new Set(['ash', 'bash', 'dash', 'ksh', 'sh', 'zsh'])
const INPUT = /^(-|\/dev\/(stdin|fd\/\d+)|\/proc\/[^/]+\/fd\/\d+)$/
const DEEPEST = 5

/**
 * Why it cannot be told what these words run: a name or script comes out of an expansion or the input, or is kept
 * for later. Undefined when it can.
 */
export function whyHidden(words: readonly CommandWord[], depth = 0): string | undefined {
  const names = possibleNames(words)
  for (const at of names) {
    const word = words[at]
    if (word?.expands) return `"${word.text}" stands for a command that is not spelled out`
    const reason = word && whyHiddenBehind(programName(word), words.slice(at + 1), depth)
    if (reason !== undefined) return reason
  }
  const last = names.map(at => words[at]).filter(word => word !== undefined)
  const onlyWrappers = last.length > 1 && last.every(word => WRAPPERS.has(programName(word)))
  return onlyWrappers && last.some(word => programName(word) === 'xargs')
    ? '"xargs" takes the command from its input'
    : undefined
}

/** Name of a program without its folder. */
export function programName({ plain }: CommandWord): string {
  return plain.split('/').at(-1) ?? ''
}

/** The script in the arguments of `eval` or of a shell with `-c`, as far as it is spelled out. */
export function scriptWithin(name: string, args: readonly CommandWord[]): string | undefined {
  if (name === 'eval') return args.map(word => word.plain).join(' ')
  if (!SHELLS.has(name)) return undefined
  const { operand, inWords } = readShellOptions(args)
  return inWords ? operand?.plain : undefined
}

/** Where the name of a command may be: several places behind a wrapper with options, which may take arguments. */
function possibleNames(words: readonly CommandWord[]): number[] {
  const found: number[] = []
  let afterOption = false
  for (const [at, word] of words.entries()) {
    const { plain } = word
    if (at > 0 && plain.startsWith('-')) {
      afterOption = true
      continue
    }
    if (at > 0 && /^([A-Za-z_]\w*=.*|[\d.]+[smhd]?)$/s.test(plain)) continue
    found.push(at)
    if (!WRAPPERS.has(programName(word)) && !afterOption) break
    // `command -v` only tells what a name stands for.
    if (programName(word) === 'command' && /^-[vV]/.test(words[at + 1]?.plain ?? '')) break
    afterOption = false
  }
  return found
}

function whyHiddenBehind(name: string, args: readonly CommandWord[], depth: number): string | undefined {
  const [first] = args
  if (name === 'env' && args.some(({ plain }) => /^(-\w*S|--split)/.test(plain)))
    return '"env -S" makes a command of a text'
  if (
    (name === 'sudo' || name === 'doas') &&
    args.some(({ plain }) => /^(-\w*[si]|--shell|--login)/.test(plain))
  )
    return `"${name}" starts a shell`
  if (name === 'alias' && args.some(({ plain, expands }) => expands || plain.includes('=')))
    return '"alias" gives a command another name'
  if (name === 'trap' && first && args.length > 1 && first.plain !== '-' && first.plain !== '')
    return '"trap" keeps a command for later'
  if ((name === '.' || name === 'source') && first && (first.expands || INPUT.test(first.plain)))
    return `the script of "${name}" is not spelled out`
  if (name === 'eval')
    return args.some(({ expands }) => expands)
      ? 'the script of "eval" is not spelled out'
      : whyScriptHidden(name, args.map(({ plain }) => plain).join(' '), depth)
  return SHELLS.has(name) ? whyShellHidden(name, args, depth) : undefined
}

function whyShellHidden(name: string, args: readonly CommandWord[], depth: number): string | undefined {
  const { operand, inWords, fromInput, expands } = readShellOptions(args)
  if (expands || operand?.expands) return `the script of "${name}" is not spelled out`
  if (operand === undefined || (!inWords && (fromInput || INPUT.test(operand.plain))))
    return `"${name}" reads its script from the input`
  // A script in a file is a program like any other.
  return inWords ? whyScriptHidden(name, operand.plain, depth) : undefined
}

function whyScriptHidden(name: string, script: string, depth: number): string | undefined {
  if (script.trim() === '') return undefined
  if (depth >= DEEPEST) return `scripts are nested in "${name}" more than ${DEEPEST} deep`
  const split = splitCommand(script)
  if ('unreadable' in split) return `the script of "${name}": ${split.unreadable}`
  return split.parts.map(part => whyHidden(part.command, depth + 1)).find(reason => reason !== undefined)
}

interface ShellOptions {
  /** The first word that is no option: a script, or its file. */
  operand?: CommandWord
  /** `-c`: the operand is the script. */
  inWords: boolean
  /** `-s`. */
  fromInput: boolean
  /** An option comes out of an expansion. */
  expands: boolean
}

function readShellOptions(args: readonly CommandWord[]): ShellOptions {
  const found: ShellOptions = { inWords: false, fromInput: false, expands: false }
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) break
    const { plain, expands } = word
    if (plain === '--' || (plain === '-' && found.inWords)) return withOperand(found, args[at + 1])
    if (!/^[-+]./.test(plain)) return withOperand(found, word)
    found.expands ||= expands
    if (/^--(rcfile|init-file)$/.test(plain)) at++
    if (plain.startsWith('--')) continue
    found.inWords ||= plain.startsWith('-') && plain.includes('c')
    found.fromInput ||= plain.startsWith('-') && plain.includes('s')
    // Names of options follow, one word each.
    at += plain.replaceAll(/[^oO]/g, '').length
  }
  return found
}

function withOperand(found: ShellOptions, operand: CommandWord | undefined): ShellOptions {
  return operand === undefined ? found : { ...found, operand }
}
