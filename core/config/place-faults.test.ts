import { expect, test } from 'vitest'
import { formatFault } from './fault.ts'
import { placeFaults } from './place-faults.ts'
import { parseYamlNode } from './yaml-parse.ts'

test.each([
  ['timeout: must be positive', 'f:1:10  exporters::x::timeout: must be positive'],
  ['tls::ca_file: cannot be read: no such file', 'f:3:12  exporters::x::tls::ca_file: cannot be read: no such file'],
  ['tls::key_file: must be specified', 'f:2:1  exporters::x::tls::key_file: must be specified'],
  [
    'max must be >= size: current values are 1 and 2',
    'f:1:1  exporters::x: max must be >= size: current values are 1 and 2',
  ],
])('%s', (sentence, expected) => {
  const node = parseYamlNode('timeout: 1s\ntls:\n  ca_file: x\n', 'f')
  expect(placeFaults([sentence], node, ['exporters', 'x']).map(formatFault)).toEqual([expected])
})

test('without a node there is a path and no position', () => {
  expect(placeFaults(['a: wrong'], undefined, ['x'])).toEqual([{ path: 'x::a', message: 'wrong' }])
})
