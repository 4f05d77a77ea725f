import type { BuildInfo, JsonSchema, Route } from '#core/component'
import { parametersOf, templateOf } from './route-path.ts'

/** The body of every answer that reports a fault. */
export const FAULT_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'What could not be done and why, in a sentence.' },
    code: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$', description: 'The same for programs.' },
  },
}

/**
 * Describes routes as an OpenAPI document.
 * Source: OpenAPI Specification 3.1.0, whose schemas are JSON Schema as they are.
 */
export function openApiOf(routes: readonly Route[], build: BuildInfo): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const route of routes) {
    paths[templateOf(route.path)] ??= {}
    paths[templateOf(route.path)]![route.method.toLowerCase()] ??= operationOf(route)
  }
  return {
    openapi: '3.1.0',
    info: { title: build.description, version: build.version },
    paths,
    components: { schemas: { Fault: FAULT_SCHEMA } },
  }
}

function operationOf(route: Route): JsonSchema {
  const parameters = [
    ...parametersOf(route.path).map(name => ({
      ...parameterOf('path', name, propertiesOf(route.params)[name] ?? { type: 'string' }),
      required: true,
    })),
    ...Object.entries(propertiesOf(route.query)).map(([name, schema]) => ({
      ...parameterOf('query', name, schema),
      required: ((route.query?.required ?? []) as string[]).includes(name),
    })),
  ]
  const responses = Object.entries(route.responses ?? { 200: { description: 'OK' } }).map(([status, response]) => [
    status,
    { description: response.description, ...content(response.schema) },
  ])
  return {
    summary: route.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined ? {} : { requestBody: { required: true, ...content(route.body) } }),
    responses: {
      ...Object.fromEntries(responses),
      default: { description: 'The request failed', ...content({ $ref: '#/components/schemas/Fault' }) },
    },
  }
}

function parameterOf(place: string, name: string, schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema
  return { name, in: place, ...(description === undefined ? {} : { description }), schema: rest }
}

function propertiesOf(schema: JsonSchema | undefined): { readonly [name: string]: JsonSchema } {
  return (schema?.properties ?? {}) as { readonly [name: string]: JsonSchema }
}

function content(schema: JsonSchema | undefined): JsonSchema {
  return schema === undefined ? {} : { content: { 'application/json': { schema } } }
}
