import { expect, test } from 'vitest'
import { openApiOf } from './openapi.ts'
import { route } from './rig.test-support.ts'

const BUILD = { command: 'x', description: 'A collector', version: '1.2.3' }

test('a route becomes an operation with parameters, body and answers', () => {
  const name = { type: 'string', description: 'The name' }
  const document = openApiOf(
    [
      route({
        method: 'PUT',
        path: '/items/:name',
        summary: 'Stores an item',
        params: { type: 'object', properties: { name } },
        query: { type: 'object', required: ['n'], properties: { n: { type: 'integer' }, m: { type: 'boolean' } } },
        body: { type: 'object' },
        responses: { 201: { description: 'Stored', schema: { type: 'object' } }, 204: { description: 'As it was' } },
      }),
      route({ path: '/items/:name', summary: 'Shows an item' }),
    ],
    BUILD,
  ) as { paths: Record<string, Record<string, { parameters: unknown; summary: string }>> }
  const { put, get } = document.paths['/items/{name}']!
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'A collector', version: '1.2.3' } })
  expect(put).toEqual({
    summary: 'Stores an item',
    parameters: [
      { name: 'name', in: 'path', required: true, description: 'The name', schema: { type: 'string' } },
      { name: 'n', in: 'query', required: true, schema: { type: 'integer' } },
      { name: 'm', in: 'query', required: false, schema: { type: 'boolean' } },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {
      201: { description: 'Stored', content: { 'application/json': { schema: { type: 'object' } } } },
      204: { description: 'As it was' },
      default: {
        description: 'The request failed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Fault' } } },
      },
    },
  })
  expect(get!.parameters).toEqual([{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }])
})

test('of two routes with one method and path the first is described', () => {
  const document = openApiOf([route({ summary: 'First' }), route({ summary: 'Second' })], BUILD) as {
    paths: Record<string, { get: { summary: string } }>
  }
  expect(document.paths['/test']!.get.summary).toBe('First')
})
