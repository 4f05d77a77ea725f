import { expect, test } from 'vitest'
import type { Plan } from '#core/pipeline'
import { millrace } from '../../distributions/millrace/index.ts'
import { carriersOf } from './carriers.ts'
import { load } from './loaded.ts'

async function planOf(): Promise<Plan> {
  const config = {
    receivers: { nop: {} },
    processors: { batch: {} },
    exporters: { nop: {}, 'nop/user': {}, 'nop/behind': {} },
    connectors: { forward: {}, 'forward/user': {} },
    service: {
      pipelines: {
        'logs/own': { receivers: ['nop'], processors: ['batch'], exporters: ['forward'] },
        'logs/behind': { receivers: ['forward', 'forward/user'], exporters: ['nop/behind'] },
        'logs/user': { receivers: ['nop'], exporters: ['nop/user', 'forward/user'] },
      },
    },
  }
  return (await load(millrace, { config, env: {} })).plan
}

test('what is handed to a pipeline is carried by its components and by those behind its connectors', async () => {
  const plan = await planOf()
  expect([...carriersOf(plan, ['logs/own'])].sort()).toEqual([
    'connector:forward',
    'exporter:nop/behind',
    'processor:batch',
  ])
  expect([...carriersOf(plan, ['logs/behind'])]).toEqual(['exporter:nop/behind'])
  expect([...carriersOf(plan, [])]).toEqual([])
  expect([...carriersOf(plan, ['logs/gone'])]).toEqual([])
})
