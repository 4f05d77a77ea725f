import { Sketch } from '../sketch/sketch.ts'
import { Interner } from './interner.ts'

/** What is known of the names of one kind within a worker, in arrays by the number of the name. */
export class Family {
  readonly kind: number
  readonly interner: Interner
  /** Of the present task: kinds of values or of instruments, places, occurrences by span kind. */
  readonly values: Uint16Array
  readonly places: Uint16Array
  readonly spanKinds: Int32Array
  readonly row: Int32Array
  /** The task and the segment (one resource) in which the name was last seen, and how often in the latter. */
  readonly task: Int32Array
  readonly segment: Int32Array
  readonly count: Int32Array
  /** What was told about values of the name so far. */
  readonly sketches: (Sketch | undefined)[] = []

  constructor(kind: number, capacity: number, seed: number) {
    this.kind = kind
    this.interner = new Interner(capacity, seed)
    this.values = new Uint16Array(capacity)
    this.places = new Uint16Array(capacity)
    this.spanKinds = new Int32Array(capacity * 6)
    this.row = new Int32Array(capacity)
    this.task = new Int32Array(capacity)
    this.segment = new Int32Array(capacity)
    this.count = new Int32Array(capacity)
  }

  sketch(id: number): Sketch {
    this.sketches[id] ??= new Sketch()
    return this.sketches[id]
  }
}
