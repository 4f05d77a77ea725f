import { expect, test } from 'vitest'
import { ConfigError } from './fault.ts'

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
