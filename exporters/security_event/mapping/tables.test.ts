import { expect, test } from 'vitest'
import { eventOf } from './mapping.test-support.ts'
import { severityName } from './severity.ts'
import { mappingDocument } from './tables.test-support.ts'

test('the document of the mapping is what the tables say', async () => {
  await expect(mappingDocument()).toMatchFileSnapshot('README.md')
})

test('severity numbers have the grades that the document says', () => {
  const grades = Array.from({ length: 26 }, (_, severityNumber) => {
    const { json } = eventOf({ severityNumber, severityText: '', attributes: {} }, 'ocsf')
    return json.severity_id
  })
  expect(grades).toEqual([0, ...Array(12).fill(1), ...Array(4).fill(3), ...Array(4).fill(4), ...Array(4).fill(5), 0])
  expect(severityName(25)).toBe('UNSPECIFIED')
})
