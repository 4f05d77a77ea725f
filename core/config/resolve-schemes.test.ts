import { expect, test } from 'vitest'
import { toPlain } from './node.ts'
import { resolve } from './resolve.ts'

const env = { NAME: 'value' }
const a = (uri: string) => `yaml:a: $\{${uri}}`

test('only providers of the schemes that are allowed are asked', async () => {
  await expect(resolve(['yaml:a: 1'], { env, schemes: ['env'] })).rejects.toThrow('unsupported scheme on URI "yaml:"')
  await expect(resolve([a('env:NAME')], { env, schemes: ['yaml'] })).rejects.toThrow(
    'scheme "env" is not supported for uri "env:NAME"',
  )
  const { root } = await resolve([a('NAME')], { env, schemes: ['yaml', 'env'] })
  expect(toPlain(root)).toEqual({ a: 'value' })
})
