import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandsIn } from './commands-in.ts'

const programs = (script: string) => commandsIn(script).map(({ program, args }) => [program, ...args].join(' '))

test.each([
  ['rm -rf /', ['rm -rf /']],
  ['cd /tmp && ls -l; echo done', ['cd /tmp', 'ls -l', 'echo done']],
  ['echo "rm -rf /"', ['echo rm -rf /']],
  ["grep 'a; rm -rf /' file # rm -rf /", ['grep a; rm -rf / file']],
  ['A=1 B=2 sudo -u root /usr/bin/rm -r x', ['rm -r x']],
  ['timeout 5 env X=1 nohup curl a', ['curl a']],
  ['find . | xargs -I {} rm {}', ['find .', 'rm {}']],
  ['if true; then rm x; fi', ['true', 'rm x']],
  ['echo $(whoami) `id`', ['whoami', 'id', 'echo $() $()']],
  ['echo "now: $(date +%s)"', ['date +%s', 'echo now: $()']],
  ['diff <(sort a) <(sort b)', ['sort a', 'sort b', 'diff $() $()']],
  ["bash -c 'rm -rf /'", ['bash -c rm -rf /', 'rm -rf /']],
  ['sh -ec "a && b"', ['sh -ec a && b', 'a', 'b']],
  ["eval 'rm x'", ['eval rm x', 'rm x']],
  ['ssh host "rm x"', ['ssh host rm x', 'rm x']],
  ["echo 'rm x' | sh", ['echo rm x', 'sh', 'rm x']],
  ['cat <<EOF > notes\nrm -rf /\nEOF\nls', ['cat', 'ls']],
  ['bash <<EOF\nrm -rf /\nEOF', ['bash', 'rm -rf /']],
  ['echo a \\\n b', ['echo a b']],
  ['sudo', ['sudo']],
  ['echo $((1 + 2))', ['echo $', '1 + 2']],
  ['a\fb \v \u00a0c', ['a\fb \v \u00a0c']],
  ['', []],
])('%s', (script, expected) => {
  expect(programs(script)).toEqual(expected)
})

test('redirects, wrappers and pipes are told', () => {
  const [a, b] = commandsIn('sudo cat x 2>/dev/null | tee -a y >> z')
  expect(a).toMatchObject({ program: 'cat', args: ['x'], wrappers: ['sudo'] })
  expect(a!.redirects).toEqual([{ operator: '>', target: '/dev/null' }])
  expect(b!.redirects).toEqual([{ operator: '>>', target: 'z' }])
  expect(b!.upstream).toEqual([a])
})

test('any text at all is read, in time', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    "'",
    '"',
    '`',
    '$(',
    ')',
    '(',
    '<(',
    '\\',
    '\n',
    '|',
    '&&',
    ';',
    '<<E',
    'E',
    '#',
    '>',
    'bash -c ',
  )
  const any = fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 3 }))
  fc.assert(fc.property(fc.array(any, { maxLength: 60 }), pieces => void commandsIn(pieces.join(''))))
  expect(commandsIn('$('.repeat(20_000)).length).toBeLessThan(1000)
  expect(commandsIn('a|'.repeat(20_000)).length).toBeLessThanOrEqual(500)
})
