import type { Definition, Distribution } from '#core/component'
import { type JsonSchemaObject, jsonSchema } from '#core/config'
import { SIGNALS } from '#core/data'
import { telemetrySchema } from '../telemetry/schema.ts'

/** JSON Schema of a whole configuration of a distribution, for editors. */
export function configurationSchema(distribution: Distribution): JsonSchemaObject {
  const ids = { type: ['array', 'string', 'null'], items: { type: 'string' } }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Configuration of ${distribution.command}`,
    type: 'object',
    additionalProperties: false,
    properties: {
      receivers: section('Where telemetry comes from, by id: type or type/name.', distribution.receivers),
      processors: section('What happens to telemetry on its way, by id: type or type/name.', distribution.processors),
      exporters: section('Where telemetry goes, by id: type or type/name.', distribution.exporters),
      connectors: section('What joins pipelines, by id: type or type/name.', distribution.connectors),
      extensions: section('What serves the collector itself, by id: type or type/name.', distribution.extensions),
      service: {
        description: 'What of all this runs.',
        ...OR_REFERENCE,
        additionalProperties: false,
        properties: {
          components: {
            description: 'Files and packages that bring further components: paths begin with ./, ../ or /.',
            ...ids,
          },
          extensions: { description: 'Ids of the extensions that run, in the order of their start.', ...ids },
          pipelines: {
            description: 'Pipelines by id: signal or signal/name.',
            ...OR_REFERENCE,
            additionalProperties: false,
            patternProperties: {
              [`^\\s*(${SIGNALS.join('|')})(/.+)?$`]: {
                ...OR_REFERENCE,
                additionalProperties: false,
                properties: {
                  receivers: { description: 'Ids of receivers and connectors that feed the pipeline.', ...ids },
                  processors: { description: 'Ids of processors, in the order in which they see telemetry.', ...ids },
                  exporters: { description: 'Ids of exporters and connectors that the pipeline feeds.', ...ids },
                },
              },
            },
          },
          telemetry: { ...jsonSchema(telemetrySchema), description: 'What the collector tells about itself.' },
        },
      },
    },
    definitions: Object.fromEntries(
      SECTIONS.flatMap(name => distribution[name].map(one => [definitionName(one), definition(one)])),
    ),
  }
}

const SECTIONS = ['receivers', 'processors', 'exporters', 'connectors', 'extensions'] as const

/** A map, nothing, or a reference to one. */
const OR_REFERENCE = { type: ['object', 'null', 'string'], pattern: '\\$\\{' }

function section(description: string, definitions: readonly Definition[]): JsonSchemaObject {
  return {
    description,
    ...OR_REFERENCE,
    additionalProperties: false,
    patternProperties: Object.fromEntries(
      definitions.map(one => [
        `^\\s*(${[one.type, ...(one.aliases ?? [])].join('|')})\\s*(/.+)?$`,
        { $ref: `#/definitions/${definitionName(one)}` },
      ]),
    ),
  }
}

function definitionName({ kind, type }: Definition): string {
  return `${kind}-${type}`
}

function definition({ config, description }: Definition): JsonSchemaObject {
  return { ...jsonSchema(config), description }
}
