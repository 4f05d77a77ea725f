import { expect, test } from 'vitest'
import { ConfigError, formatFault } from './fault.ts'

const at = (file: string, line: number, column: number) => ({ file, line, column })

test('all faults print one a line, in order of file, line and column, those without a place first', () => {
  const error = new ConfigError(
    [
      { path: 'c', message: 'third', origin: at('b.yaml', 1, 1) },
      { path: 'b', message: 'second', origin: at('a.yaml', 10, 2), suggestion: 'B' },
      { path: 'a', message: 'first', origin: at('a.yaml', 9, 30) },
      { path: '', message: 'empty configuration file' },
    ],
    { stage: 'validate' },
  )
  expect(error.message.split('\n')).toEqual([
    'empty configuration file',
    'a.yaml:9:30  a: first',
    'a.yaml:10:2  b: second (did you mean "B"?)',
    'b.yaml:1:1  c: third',
  ])
  expect(error.faults.map(fault => fault.message)).toEqual(['empty configuration file', 'first', 'second', 'third'])
  expect(error).toMatchObject({ name: 'ConfigError', stage: 'validate' })
})

test('a printed fault holds no password of a URL and no character that steers a terminal', () => {
  const fault = { path: 'a\u001b[2J', message: 'got "https://me:hush@host/?token=hush" and me:hush@host, \u202eback' }
  expect(formatFault(fault)).toBe(
    'a\\u{1b}[2J: got "https://[REDACTED]@host/?token=[REDACTED]" and me:[REDACTED]@host, \\u{202e}back',
  )
})
