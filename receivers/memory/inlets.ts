import type { BuildInfo, ConsumeContext } from '#core/component'
import { admit, admitJson, build, Payload, type PlainRequests, type Signal } from '#core/data'
import type { PushOptions, Telemetry } from './memory-receiver.ts'

/** A running receiver. */
export interface Inlet {
  readonly id: string
  /** The collector that it is part of. */
  readonly build: BuildInfo
  consume(payload: Payload, context: ConsumeContext): Promise<void>
}

/** The running receivers of one definition, by id. */
export class Inlets {
  readonly #inlets = new Map<string, Inlet>()

  /** @throws {Error} when another collector uses the definition: it would not be clear whom the data is for */
  open(inlet: Inlet): void {
    const other = [...this.#inlets.values()].find(each => each.build !== inlet.build)
    if (other !== undefined) {
      throw new Error(`Cannot start: this memory receiver runs in another collector, which has "${other.id}"`)
    }
    this.#inlets.set(inlet.id, inlet)
  }

  close(inlet: Inlet): void {
    if (this.#inlets.get(inlet.id) === inlet) this.#inlets.delete(inlet.id)
  }

  async push<S extends Signal>(signal: S, data: Telemetry<S>, options: PushOptions = {}): Promise<void> {
    const inlet = this.#find(options.id)
    await inlet.consume(payloadOf(signal, data), contextOf(options))
  }

  #find(id: string | undefined): Inlet {
    const [first, ...others] = this.#inlets.values()
    const found = id === undefined && others.length === 0 ? first : this.#inlets.get(id ?? 'memory')
    if (found !== undefined) return found
    const running = [...this.#inlets.keys()].join(', ') || 'none'
    throw new Error(`Cannot take telemetry in: no memory receiver "${id ?? 'memory'}" runs, running: ${running}`)
  }
}

function payloadOf(signal: Signal, data: unknown): Payload {
  if (data instanceof Payload) {
    if (data.signal !== signal) throw new TypeError(`Cannot take ${data.signal} as ${signal}`)
    return data
  }
  if (data instanceof Uint8Array) return admit(signal, Buffer.from(data)).payload
  if (typeof data === 'string') return admitJson(signal, Buffer.from(data)).payload
  return build(signal as keyof PlainRequests, data as PlainRequests[keyof PlainRequests])
}

function contextOf({ metadata = {}, signal }: PushOptions): ConsumeContext {
  const lists = Object.entries(metadata).map(([name, value]) => {
    return [name.toLowerCase(), typeof value === 'string' ? [value] : value] as const
  })
  return { metadata: new Map(lists), ...(signal === undefined ? {} : { signal }) }
}
