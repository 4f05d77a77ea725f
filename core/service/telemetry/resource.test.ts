import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import { ownResource } from './resource.ts'

const BUILD = { command: 'millrace', description: 'Millrace', version: '1.2.3' }

describe('the collector’s own resource', () => {
  test('has a name, a version and an id of its own each time', () => {
    const [one, other] = [ownResource(BUILD, {}), ownResource(BUILD, {})]
    expect(one).toMatchObject({ 'service.name': 'millrace', 'service.version': '1.2.3' })
    expect(one['service.instance.id']).not.toBe(other['service.instance.id'])
  })

  test('takes the map form, where null removes', () => {
    const resource = ownResource(BUILD, { 'service.instance.id': null, 'service.name': 'mine', region: 5 })
    expect(resource).toEqual({ 'service.name': 'mine', 'service.version': '1.2.3', region: '5' })
  })

  test('takes the declarative form, alone and beside the map form', () => {
    const attributes = [{ name: 'service.name', value: 'mine' }]
    expect(ownResource(BUILD, { attributes, schema_url: 'https://s', zone: 'a' })).toMatchObject({
      'service.name': 'mine',
      zone: 'a',
    })
    expect(ownResource(BUILD, { attributes, schema_url: 'https://s' })).not.toHaveProperty('schema_url')
  })

  test('asks the detectors, whose findings lose against what is written', () => {
    const section = { detectors: [{ host: {} }, { os: {} }, { process: {} }, { container: {} }] }
    expect(ownResource(BUILD, { 'detection/development': section, 'os.type': 'mine' })).toMatchObject({
      'host.name': hostname(),
      'os.type': 'mine',
      'process.pid': String(process.pid),
    })
  })
})
