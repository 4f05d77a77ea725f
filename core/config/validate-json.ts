import { createRequire } from 'node:module'
import type { Ajv2020 } from 'ajv/dist/2020.js'

/** What does not follow a JSON Schema. */
export interface JsonFault {
  /** JSON pointer (RFC 6901) to the value; empty for the whole. */
  readonly pointer: string
  /** A sentence without pointer and full stop. */
  readonly message: string
}

/** Answers with all faults of a value; none when it follows the schema. */
export type JsonValidator = (value: unknown) => readonly JsonFault[]

/**
 * Compiles a JSON Schema (draft 2020-12) for values that are not configuration: bodies of requests, files of users.
 * The schema itself is not checked. The formats `date-time`, `uri` and `uuid` are known, others are ignored.
 * @throws {Error} when the schema cannot be compiled
 */
export function validateJson(schema: { readonly [keyword: string]: unknown }): JsonValidator {
  const validate = ajv().compile(schema)
  return value => {
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) => ({
      pointer: instancePath,
      message: [message ?? 'is not valid', detail(params)].filter(Boolean).join(': '),
    }))
  }
}

/** The one parameter of an error that its message leaves out. */
function detail(params: { readonly [name: string]: unknown }): string | undefined {
  if (typeof params.additionalProperty === 'string') return params.additionalProperty
  return Array.isArray(params.allowedValues) ? params.allowedValues.join(', ') : undefined
}

let instance: Ajv2020 | undefined

/** Loaded by whoever first needs it: importing ajv costs some 30 ms, which starting a collector has no use for. */
function ajv(): Ajv2020 {
  if (!instance) {
    const library = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
    instance = new library.Ajv2020({
      allErrors: true,
      strict: false,
      validateSchema: false,
      addUsedSchema: false,
      logger: false,
      formats: FORMATS,
    })
  }
  return instance
}

const FORMATS = {
  'date-time': (text: string) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
  uri: (text: string) => URL.canParse(text),
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
}
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)$/i
