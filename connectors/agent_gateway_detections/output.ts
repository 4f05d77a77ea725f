import {
  build,
  Double,
  merge,
  openDraft,
  type Payload,
  type PlainKeyValue,
  type PlainLogRecord,
  plainValue,
  type Resource,
} from '#core/data'

/** Log records gathered under the resources they belong to. */
export class Output {
  readonly #scope: { readonly name: string; readonly version: string }
  readonly #entries: { readonly bytes: Uint8Array; readonly resource: Resource; readonly records: PlainLogRecord[] }[] =
    []

  constructor(scope: { readonly name: string; readonly version: string }) {
    this.#scope = scope
  }

  /** Records of one resource follow one another. */
  add(resource: Resource, record: PlainLogRecord): void {
    const { bytes } = resource
    const last = this.#entries.at(-1)
    if (last !== undefined && last.bytes.buffer === bytes.buffer && last.bytes.byteOffset === bytes.byteOffset) {
      last.records.push(record)
    } else this.#entries.push({ bytes, resource, records: [record] })
  }

  /** All of them, behind what is passed on as it is. */
  payload(passed: Payload<'logs'> | undefined): Payload<'logs'> | undefined {
    const raised = this.#entries.length === 0 ? undefined : this.#build()
    if (passed === undefined || raised === undefined) return raised ?? passed
    return merge([passed, raised])
  }

  #build(): Payload<'logs'> {
    return build('logs', {
      resourceLogs: this.#entries.map(({ resource, records }) => ({
        resource: { attributes: plainResource(resource) },
        ...(resource.schemaUrl === '' ? {} : { schemaUrl: resource.schemaUrl }),
        scopeLogs: [{ scope: this.#scope, logRecords: records }],
      })),
    })
  }
}

function plainResource({ attributes }: Resource): PlainKeyValue[] {
  return [...attributes].map(([key, value]) => {
    const double = typeof value === 'number' && attributes.kind(key) === 'double'
    return { key, value: plainValue(double ? new Double(value) : value) }
  })
}

/** The payload with only those records for which `wanted` holds; `undefined` when there are none. */
export function filtered(payload: Payload<'logs'>, wanted: ReadonlySet<number>): Payload<'logs'> | undefined {
  if (wanted.size === 0) return undefined
  const draft = openDraft(payload)
  let at = 0
  for (const record of draft.logs()) if (!wanted.has(at++)) record.drop()
  return draft.seal()
}
