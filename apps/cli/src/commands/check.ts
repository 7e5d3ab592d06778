import { checkScript, formatFindings, type CheckResult, type Finding } from '@tutti/runtime'
import type { JsonFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { count } from '../render/numbers.ts'
import { safeBlock } from '../render/text-width.ts'
import { readScript } from '../setup/find-script.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { writeOut } from '../write-out.ts'

interface CheckedFile {
  file: string
  result: CheckResult
}

/** Findings on standard output; bad input if any script would be refused. */
export async function checkCommand(
  files: string[],
  flags: JsonFlags,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const checked: CheckedFile[] = []
  let unreadable = false
  for (const file of files) {
    try {
      const { source } = await readScript(file, io.cwd)
      checked.push({ file, result: checkScript(source) })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      unreadable = true
      terminal.error(error)
    }
  }
  const text =
    flags.json === true ? `${JSON.stringify(checked.map(toJson))}\n` : reportText(checked, terminal)
  await writeOut(io.stdout, text)
  return unreadable || checked.some(({ result }) => !result.ok) ? EXIT.badInput : EXIT.completed
}

function findingsOf(result: CheckResult): Finding[] {
  return result.ok ? result.warnings : result.findings
}

function toJson({ file, result }: CheckedFile): object {
  return result.ok
    ? { file, ok: true, meta: result.meta, findings: result.warnings }
    : { file, ok: false, findings: result.findings }
}

function reportText(checked: CheckedFile[], { outColors: colors }: Terminal): string {
  return checked
    .map(({ file, result }) => {
      const findings = findingsOf(result)
      const body = findings.length === 0 ? '' : `${safeBlock(formatFindings(findings, file))}\n\n`
      const errors = findings.filter(({ severity }) => severity === 'error').length
      const warnings = findings.length - errors
      const counts = [
        errors > 0 ? count(errors, 'error') : '',
        warnings > 0 ? count(warnings, 'warning') : '',
      ].filter(text => text !== '')
      const verdict = result.ok
        ? `${colors.green('ok')} ${file}: ${safeBlock(result.meta.name)}${counts.length === 0 ? '' : `, ${counts.join(', ')}`}`
        : `${colors.red('refused')} ${file}: ${counts.join(', ')}`
      return `${body}${verdict}\n`
    })
    .join('\n')
}
