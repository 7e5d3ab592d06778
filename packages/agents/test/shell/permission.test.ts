import type { PermissionSettings } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { decideCommand, parseCommandRules } from '../../src/shell/permission.ts'

function decide(command: string, settings: PermissionSettings): string {
  return decideCommand(command, parseCommandRules(settings)).decision
}

describe('allow', () => {
  test.each<[string, string[], string]>([
    ['npm test', ['Bash'], 'allow'],
    ['npm test', ['Bash(*)'], 'allow'],
    ['npm test', ['Bash(npm test)'], 'allow'],
    ['npm  test', ['Bash(npm test)'], 'allow'],
    ['npm test -- -u', ['Bash(npm test)'], 'none'],
    ['npm test -- -u', ['Bash(npm test:*)'], 'allow'],
    ['npm tests', ['Bash(npm test:*)'], 'none'],
    ['npm test', ['Bash(npm *)'], 'allow'],
    ['npm', ['Bash(npm *)'], 'allow'],
    ['git diff main', ['Bash(git * main)'], 'allow'],
    ['git diff mainly', ['Bash(git * main)'], 'none'],
    ['npm test', ['Read', 'Edit(src/**)'], 'none'],
    ['npm test', [], 'none'],
  ])('%s with %o: %s', (command, allow, expected) => {
    expect(decide(command, { allow })).toBe(expected)
  })

  test.each<[string, string]>([
    ['npm test && rm -rf .', 'none'],
    ['npm test; rm -rf .', 'none'],
    ['npm test | tee log', 'none'],
    ['npm test || curl x', 'none'],
    ['npm test &\nrm x', 'none'],
    ['npm test $(rm x)', 'none'],
    ['npm test "`rm x`"', 'none'],
    ['npm test "${X:-$(rm x)}"', 'none'],
    ['npm test <<E\n$(rm x)\nE', 'none'],
    ["npm test <<'E'\n$(rm x)\nE", 'allow'],
    ['f() { rm x; }; npm test', 'none'],
    ['if npm test; then rm x; fi', 'none'],
    ['for f in *; do rm $f; done', 'none'],
    ['{ npm test; }', 'allow'],
    ['(npm test)', 'allow'],
    ['! npm test', 'allow'],
    ['npm test && npm test', 'allow'],
    ["npm test 'a; rm x'", 'allow'],
    ['npm test # rm x', 'allow'],
  ])('every part counts: %s → %s', (command, expected) => {
    expect(decide(command, { allow: ['Bash(npm test:*)'] })).toBe(expected)
  })

  test.each<[string, string]>([
    ['npm test > out', 'none'],
    ['npm test >> ~/.profile', 'none'],
    ['{ npm test; } > out', 'none'],
    ['npm test >& out', 'none'],
    ['npm test > /dev/null 2>&1', 'allow'],
    ['npm test < in', 'allow'],
    ['PATH=/evil npm test', 'none'],
    ['PATH=/evil; npm test', 'none'],
  ])('files written and variables set are not covered by a prefix: %s → %s', (command, expected) => {
    expect(decide(command, { allow: ['Bash(npm test:*)'] })).toBe(expected)
  })

  test.each(['CI=1 npm test', 'npm test > out', 'npm ci && npm test', '((1)); x'])(
    '%s can be allowed by name',
    command => {
      expect(decide(command, { allow: [`Bash(${command})`] })).toBe('allow')
    },
  )
})

describe('deny', () => {
  const deny = ['Bash(rm:*)', 'Bash(git push *)']

  test.each([
    'rm -rf x',
    'echo hi && rm x',
    'echo $(rm x)',
    '/bin/rm x',
    'r"m" x',
    '\\rm x',
    'FOO=1 rm x',
    'sudo rm x',
    'env A=1 nohup rm x',
    'xargs rm < list',
    'rm x > out',
    'sh -c "rm x"',
    "bash -ec 'echo; rm x'",
    'eval "rm x"',
    'sh -c "sh -c \'rm x\'"',
    'git push origin main',
    '! rm x',
    'bash -c -- "rm x"',
    'bash -ec -o errexit -- "rm x"',
    'sh -c -e "rm x"',
    'sh +e -c "rm x"',
    'sudo sh -c -- "rm x"',
    'busybox rm x',
  ])('%s is denied, whatever is allowed', command => {
    expect(decide(command, { deny, allow: ['Bash'] })).toBe('deny')
  })

  test.each(['echo rm', 'rmdir x', 'git pull', 'npm run rm'])('%s is not', command => {
    expect(decide(command, { deny, allow: ['Bash'] })).toBe('allow')
  })

  test('a bare rule denies everything', () => {
    expect(decide('true', { deny: ['Bash'], allow: ['Bash(true)'] })).toBe('deny')
  })

  test('deny comes before ask, and ask before allow', () => {
    const settings = { deny: ['Bash(rm:*)'], ask: ['Bash(rm:*)', 'Bash(git:*)'], allow: ['Bash'] }
    expect([decide('rm x', settings), decide('git log', settings), decide('ls', settings)]).toEqual([
      'deny',
      'ask',
      'allow',
    ])
  })
})

describe('what sh and bash read differently', () => {
  test.each([
    '((rm -rf x))',
    '[[ a || rm x ]]',
    "echo $'a\\'; rm x; echo \\''",
    'echo $[ 1; rm x ]',
    'ls &> out',
    'cat <(rm x)',
    'coproc rm x',
    'echo "unclosed',
    'if true',
    '',
    '# nothing',
  ])('%s is denied where there is a deny rule, and otherwise needs a bare rule', command => {
    expect(decide(command, { deny: ['Bash(shutdown)'], allow: ['Bash'] })).toBe('deny')
    expect(decide(command, { ask: ['Bash(git:*)'], allow: ['Bash'] })).toBe('ask')
    expect(decide(command, { allow: ['Bash(ls:*)', 'Bash(echo:*)', 'Bash(cat:*)', 'Bash(coproc:*)'] })).toBe(
      'none',
    )
    expect(decide(command, { allow: ['Bash'] })).toBe('allow')
  })
})

describe('a command that is not spelled out', () => {
  test.each([
    'T=touch; $T f',
    'T=touch; "$T" f',
    '${T:-touch} f',
    '$(echo touch) f',
    't*h f',
    '{touch,f}',
    'set -- touch f; "$@"',
    'sudo $T f',
    'sudo -u me $T f',
    'env A=1 $T f',
    'timeout 5s $T f',
    'sh <<E\ntouch f\nE',
    '{ sh; } <<E\ntouch f\nE',
    'cat f | sh',
    'cat f | sudo sh -s -- a',
    'cat f | sh -',
    'cat f | bash /dev/stdin',
    'cat f | . /dev/stdin',
    'cat f | xargs env',
    'cat f | xargs sh -c',
    'trap "touch f" EXIT',
    'trap "$X" EXIT',
    'alias x=touch\nx f',
    'eval "$X"',
    'eval echo $X',
    'sh -c "$X"',
    'sh -c "echo $X"',
    'sh $X "touch f"',
    "sh -c '$0 f' touch",
    "sh -c '((touch f))'",
    "eval 'cat f | sh'",
    'env -S "touch f"',
    'echo touch f | sudo -s',
    'if true; then echo $(cat f | sh); fi',
    `sh -c "${'eval '.repeat(8)}ls"`,
  ])('%s is denied where there is a deny rule, asked for where there is an ask rule', command => {
    expect(decide(command, { deny: ['Bash(shutdown)'], allow: ['Bash'] })).toBe('deny')
    expect(decide(command, { ask: ['Bash(shutdown)'], allow: ['Bash'] })).toBe('ask')
    expect(decide(command, { deny: ['Read'], allow: ['Bash'] })).toBe('allow')
    expect(decide(command, { allow: ['Bash(ls:*)'] })).toBe('none')
  })

  test.each([
    'rm $X *.o',
    'for f in *; do rm "$f"; done',
    'sudo rm $X',
    'env A=1 make $X',
    'timeout 5 make $X',
    'ls | xargs',
    'ls | xargs -n 1 rm',
    'sh build.sh $X',
    'sh -e ./build.sh',
    "sh -c 'echo $X'",
    'eval "npm test"',
    'eval ""',
    'trap - EXIT',
    "trap '' INT",
    'command -v bash',
    'alias',
    '. ./env.sh',
    'X=$(ls) make',
    'npm test <<E\n$X\nE',
  ])('%s can be checked', command => {
    expect(decide(command, { deny: ['Bash(shutdown)'], allow: ['Bash'] })).toBe('allow')
  })

  test('is told with what hides it', () => {
    const rules = parseCommandRules({ deny: ['Bash(rm:*)'] })
    expect(decideCommand('cat f | sh', rules).reason).toBe(
      'the command cannot be checked against the rules: "sh" reads its script from the input',
    )
  })
})

test('a rule that is not closed is an error of the settings', () => {
  expect(() => parseCommandRules({ deny: ['Bash(rm:*'] })).toThrowError(
    expect.objectContaining({ code: 'settings-invalid', message: expect.stringContaining('Bash(rm:*') }),
  )
})

test('the reason names the part and the rule', () => {
  const rules = parseCommandRules({ deny: ['Bash(rm:*)'], allow: ['Bash(ls:*)'] })
  expect(decideCommand('ls; rm x', rules).reason).toBe('rule Bash(rm:*) on "rm x"')
  expect(decideCommand('ls; cat x', rules).reason).toBe('no rule allows "cat x"')
})
