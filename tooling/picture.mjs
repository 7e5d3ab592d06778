// Draws docs/run.svg: the terminal of a real run of examples/review-changes.js, simulated, as tmux shows it.
// Needs a build and tmux.
//   node tooling/picture.mjs
//   node tooling/picture.mjs --columns 80 --out /tmp/look.svg --after 1500 -- tutti run examples/review-changes.js
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { root } from './pnpm.mjs'

const ESCAPE = String.fromCharCode(27)
const STYLE = new RegExp(`(${ESCAPE}\\[[\\d;]*m)`)

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
/** Pixels. */
const CELL = { width: 8.4, height: 19, size: 14 }
const PADDING = 18

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    columns: { type: 'string', default: '96' },
    rows: { type: 'string', default: '40' },
    out: { type: 'string', default: join(root, 'docs/run.svg') },
    // Milliseconds after the start at which to look; without it, at the end.
    after: { type: 'string' },
  },
})
const command = positionals.length > 0 ? positionals.join(' ') : 'tutti run review-changes.js > review.json'

const project = mkdtempSync(join(tmpdir(), 'tutti-picture-'))
const server = ['-L', `tutti-picture-${process.pid}`, '-f', '/dev/null']
try {
  const screen = await look()
  writeFileSync(values.out, draw([`$ ${command}`, ...screen], Number(values.columns)))
} finally {
  spawnSync('tmux', [...server, 'kill-server'])
  rmSync(project, { recursive: true })
}

/** The lines of the terminal, with their colours, without the empty ones at the end and the list of files. */
async function look() {
  // Under the name it has where it is installed, which is how it names itself.
  symlinkSync(join(root, 'apps/cli/dist/bin.js'), join(project, 'tutti'))
  cpSync(join(root, 'examples'), join(project, 'examples'), {
    recursive: true,
    filter: path => !path.includes('node_modules'),
  })
  cpSync(join(root, 'examples/review-changes.js'), join(project, 'review-changes.js'))
  const env = [
    `CLAUDE_CONFIG_DIR=${project}/config`,
    `PATH=${project}:${process.env.PATH}`,
    'ANTHROPIC_API_KEY=',
    'OPENAI_API_KEY=',
    'GEMINI_API_KEY=',
  ]
  tmux('new-session', '-d', '-x', values.columns, '-y', values.rows, '-c', project, 'sh')
  tmux('set-option', '-g', 'remain-on-exit', 'on')
  tmux('set-option', '-g', 'default-terminal', 'tmux-256color')
  tmux('respawn-pane', '-k', '-c', project, `env ${env.join(' ')} sh -c '${command}'`)
  if (values.after === undefined)
    while (!tmux('list-panes', '-F', '#{pane_dead}').startsWith('1')) await sleep(100)
  else await sleep(Number(values.after))
  const lines = tmux('capture-pane', '-p', '-e', '-S', '-').split('\n')
  const end = lines.findIndex(line => /^(Pane is dead|  files in )/.test(plain(line)))
  const shown = (end < 0 ? lines : lines.slice(0, end)).map(line => line.trimEnd())
  while (plain(shown.at(-1) ?? 'x') === '') shown.pop()
  return shown
}

function tmux(...args) {
  const { status, stdout, stderr, error } = spawnSync('tmux', [...server, ...args], { encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`)
  return stdout
}

function plain(line) {
  return segments(line, { styles: new Set() })
    .map(({ text }) => text)
    .join('')
}

/** Stretches of one style: text and the names of its styles. tmux lets a style last over line ends: `state` carries it. */
function segments(line, state) {
  const found = []
  let { styles } = state
  for (const part of line.split(STYLE)) {
    if (!part.startsWith(ESCAPE)) {
      if (part !== '') found.push({ text: part, styles: [...styles] })
      continue
    }
    for (const code of part.slice(2, -1).split(';').map(Number)) styles = applied(styles, code)
  }
  state.styles = styles
  return found
}

function applied(styles, code) {
  if (code === 0) return new Set()
  const without = (...names) => new Set([...styles].filter(name => !names.includes(name)))
  if (code === 1) return new Set([...styles, 'bold'])
  if (code === 2) return new Set([...styles, 'dim'])
  if (code === 22) return without('bold', 'dim')
  if (code >= 30 && code <= 37) return new Set([...without(...COLOURS), COLOURS[code - 30]])
  if (code >= 90 && code <= 97) return new Set([...without(...COLOURS), COLOURS[code - 90]])
  return code === 39 ? without(...COLOURS) : styles
}

function draw(lines, columns) {
  const width = columns * CELL.width + 2 * PADDING
  const height = lines.length * CELL.height + 2 * PADDING
  const state = { styles: new Set() }
  const texts = lines.flatMap((line, row) => {
    let column = 0
    return segments(line, state).flatMap(({ text, styles }) => {
      const x = PADDING + column * CELL.width
      column += text.length
      if (text.trim() === '') return []
      const place = `x="${x.toFixed(1)}" y="${PADDING + row * CELL.height + CELL.size}"`
      // The length keeps columns aligned whatever the font is.
      const length = `textLength="${(text.length * CELL.width).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`
      const style = styles.length === 0 ? '' : ` class="${styles.join(' ')}"`
      return `<text ${place} ${length}${style} xml:space="preserve">${escaped(text)}</text>`
    })
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-label="${escaped(lines[0])}">
<style>
  svg { --back: #f6f8fa; --edge: #d0d7de; --text: #1f2328; --red: #cf222e; --green: #1a7f37; --yellow: #9a6700; --blue: #0969da; --magenta: #8250df; --cyan: #1b7c83 }
  @media (prefers-color-scheme: dark) { svg { --back: #0d1117; --edge: #30363d; --text: #e6edf3; --red: #ff7b72; --green: #3fb950; --yellow: #d29922; --blue: #58a6ff; --magenta: #bc8cff; --cyan: #39c5cf } }
  rect { fill: var(--back); stroke: var(--edge) }
  text { fill: var(--text); font: ${CELL.size}px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace }
  .bold { font-weight: 700 } .dim { opacity: 0.65 }
${['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'].map(name => `  .${name} { fill: var(--${name}) }`).join('\n')}
</style>
<rect x="0.5" y="0.5" width="${(width - 1).toFixed(0)}" height="${height - 1}" rx="8"/>
${texts.join('\n')}
</svg>
`
}

function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
