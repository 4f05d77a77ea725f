import { type Static, t } from '#core/config'

const header = t.section({
  key: t.string({ default: '', description: 'Name of the header.' }),
  action: t.oneOf(['insert', 'update', 'upsert', 'delete', ''], {
    default: '',
    description:
      'Sets the header only if it is absent, only if it is there, or in any case, or takes it away; `upsert` when empty.',
  }),
  value: t.optional(t.secret({ description: 'The value.' })),
  value_file: t.string({ default: '', description: 'File with the value, followed when it changes.' }),
  from_context: t.string({
    default: '',
    description: 'Takes the value from the request that brought the data: a header, or `auth.<attribute>`.',
  }),
  from_attribute: t.string({
    default: '',
    description: 'Takes the value from an attribute of whoever sent the data, as the authenticator tells it.',
  }),
  default_value: t.secret({ default: '', description: 'The value when the context or the attribute has none.' }),
})

/** The options of the `headers_setter` extension, with the Collector's keys. */
export const headersSetterConfig = t.section({
  headers: t.list(header, { default: [], description: 'Headers to set, in this order.' }),
  additional_auth: t.optional(t.componentId({ description: 'Another authenticator, whose headers are set first.' })),
})

export type HeadersSetterConfig = Static<typeof headersSetterConfig>
export type HeaderConfig = Static<typeof header>

/** Faults across the options, in the Collector's words. */
export function* checkHeadersSetter({ headers }: HeadersSetterConfig): Iterable<string> {
  if (headers.length === 0) yield 'headers: missing headers configuration'
  for (const [i, each] of headers.entries()) {
    const path = `headers::${i}`
    if (each.key === '') yield `${path}: missing header name`
    if (each.action === 'delete') continue
    const sources = [
      each.value !== undefined,
      ...[each.value_file, each.from_context, each.from_attribute].map(Boolean),
    ]
    const given = sources.filter(Boolean).length
    if (given === 0) yield `${path}: missing header source, must be ${SOURCES}`
    if (given > 1) yield `${path}: invalid header source, must be only one of ${SOURCES}`
  }
}

const SOURCES = "'from_context', 'from_attribute', 'value' or 'value_file'"

/** The extension that must start before this one. */
export function* headersSetterDependencies({ additional_auth }: HeadersSetterConfig): Iterable<string> {
  if (additional_auth !== undefined) yield additional_auth
}
