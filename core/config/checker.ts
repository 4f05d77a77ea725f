import { checkScalar, type ScalarFault, zeroOf } from './check-scalar.ts'
import { type Fault, joinPath, type Warning } from './fault.ts'
import type { DiagnosticCode } from './fault-code.ts'
import { nearest } from './nearest.ts'
import { type ConfigNode, fromPlain, type MapNode, NullNode, ScalarNode, setOwn, toPlain } from './node.ts'
import type { Origin } from './origin.ts'
import type { Schema } from './schema.ts'
import { elementOf, kindOf, optionsOf } from './schema-kind.ts'
import { sentences } from './sentences.ts'

type Path = readonly string[]

/** Turns nodes into received values and gathers what is wrong. What it returns counts only while there are no faults. */
export class Checker {
  readonly faults: Fault[] = []
  readonly warnings: Warning[] = []

  /** One option of a section, or a whole configuration. `parent` is where to point when nothing was written. */
  option(schema: Schema<unknown>, node: ConfigNode | undefined, path: Path, parent: Origin | undefined): unknown {
    if (node === undefined) return this.#absent(schema, path, parent)
    if (node.kind === 'null') return this.#null(schema, node, path)
    return this.#written(schema, node, path)
  }

  #absent(schema: Schema<unknown>, path: Path, parent: Origin | undefined): unknown {
    if (schema.optional === true) return undefined
    if (schema.default !== undefined) return this.#default(schema, path, parent)
    return this.#fault(path, sentences.required(), parent, 'missing-option')
  }

  #default(schema: Schema<unknown>, path: Path, parent: Origin | undefined): unknown {
    const known = DEFAULTS.get(schema)
    if (known) return known.value
    const before = this.faults.length
    const value = this.#written({ ...schema, default: undefined }, fromPlain(schema.default, parent), path)
    if (this.faults.length === before) DEFAULTS.set(schema, { value })
    return value
  }

  /**
   * A key with nothing after it. Sections begin with their defaults; other options keep theirs. A reference to nothing
   * is the zero value instead, or the empty text.
   */
  #null(schema: Schema<unknown>, node: NullNode, path: Path): unknown {
    const kind = kindOf(schema)
    if (kind === 'section' && (schema.optional !== true || schema.switchable === true)) {
      return this.#written(schema, fromPlain({}, node.origin), path)
    }
    if (schema.optional === true) return undefined
    if (node.original !== undefined) {
      const zero = zeroOf(kind, node.original)
      if (zero !== undefined) return this.#written(schema, new ScalarNode(zero, node.origin, node.original), path)
    }
    return kind === 'any' ? null : this.#absent(schema, path, node.origin)
  }

  #written(schema: Schema<unknown>, node: ConfigNode, path: Path): unknown {
    switch (kindOf(schema)) {
      case 'section':
        return this.#section(schema, node, path)
      case 'map':
        return this.#map(schema, node, path)
      case 'headers':
        return this.#headers(schema, node, path)
      case 'list':
        return this.#list(schema, node, path)
      case 'any':
        return deepFreeze(toPlain(node))
      default: {
        const result = checkScalar(schema, node)
        return isFault(result) ? this.#fault(path, result.fault, node.origin, result.code, result.suggestion) : result
      }
    }
  }

  #section(schema: Schema<unknown>, node: ConfigNode, path: Path): unknown {
    if (node.kind !== 'map') return this.#fault(path, sentences.notASection(toPlain(node)), node.origin, 'wrong-type')
    const switchable = schema.switchable === true
    const on = switchable && node.get(['enabled'])
    if (on) {
      const value = toPlain(on)
      if (typeof value !== 'boolean') {
        return this.#fault([...path, 'enabled'], sentences.notASwitch(value), on.origin, 'wrong-type')
      }
      if (!value) return undefined
    }
    const options = optionsOf(schema)
    const received: Record<string, unknown> = {}
    for (const [name, option] of Object.entries(options)) {
      const value = node.get([name])
      if (value) this.#warnIfDeprecated(option, [...path, name], node.keyOrigin(name))
      received[name] = this.option(option, value, [...path, name], node.origin)
    }
    this.#unknownKeys(node, switchable ? [...Object.keys(options), 'enabled'] : Object.keys(options), path)
    return Object.freeze(received)
  }

  #unknownKeys(node: MapNode, known: readonly string[], path: Path): void {
    for (const key of node.keys) {
      if (known.includes(key)) continue
      const unwritten = known.filter(name => !node.map.has(name))
      this.#fault(path, sentences.invalidKeys(key), node.keyOrigin(key), 'unknown-key', nearest(key, unwritten))
    }
  }

  #warnIfDeprecated(option: Schema<unknown>, path: Path, origin: Origin | undefined): void {
    if (typeof option.deprecated !== 'string') return
    const text = joinPath(path)
    this.warnings.push({
      level: 'warn',
      message: `"${text}" is deprecated; ${option.deprecated}`,
      path: text,
      code: 'deprecated',
      ...(origin && { origin }),
    })
  }

  /** What the user writes is put over the default, key by key. */
  #map(schema: Schema<unknown>, node: ConfigNode, path: Path): unknown {
    if (node.kind !== 'map') {
      return this.#fault(path, sentences.wrongType('map[string]interface {}', toPlain(node)), node.origin, 'wrong-type')
    }
    const received: Record<string, unknown> = {}
    if (schema.default !== undefined) Object.assign(received, this.#default(schema, path, node.origin))
    for (const [key, child] of node.entries()) {
      setOwn(received, key, this.#element(elementOf(schema), child, [...path, key]))
    }
    return Object.freeze(received)
  }

  #list(schema: Schema<unknown>, node: ConfigNode, path: Path): unknown {
    const items = itemsOf(node)
    if (!items) return this.#fault(path, sentences.notAList(toPlain(node)), node.origin, 'wrong-type')
    const least = Number(schema.minItems ?? 0)
    if (items.length < least) this.#fault(path, sentences.tooFew(least), node.origin, 'invalid-value')
    return Object.freeze(items.map((item, index) => this.#element(elementOf(schema), item, [...path, String(index)])))
  }

  /** An item of a map or list has no default: with nothing after it, it is the zero value. */
  #element(schema: Schema<unknown>, node: ConfigNode, path: Path): unknown {
    if (node.kind !== 'null') return this.#written(schema, node, path)
    return this.option(schema, new NullNode(node.origin, node.original ?? ''), path, node.origin)
  }

  #headers(schema: Schema<unknown>, node: ConfigNode, path: Path): unknown {
    const pairs = node.kind === 'map' ? [...node.entries()] : this.#headerPairs(node, path)
    if (!pairs) return undefined
    const received: Record<string, unknown> = {}
    const twice = new Set<string>()
    for (const [name, value] of pairs) {
      if (Object.hasOwn(received, name)) twice.add(name)
      setOwn(received, name, this.#element(elementOf(schema), value, [...path, name]))
    }
    if (twice.size > 0) this.#fault(path, sentences.duplicateHeaders([...twice]), node.origin, 'invalid-value')
    return Object.freeze(received)
  }

  #headerPairs(node: ConfigNode, path: Path): (readonly [string, ConfigNode])[] | undefined {
    if (node.kind !== 'list') return this.#fault(path, sentences.notAList(toPlain(node)), node.origin, 'wrong-type')
    const pairs: (readonly [string, ConfigNode])[] = []
    for (const [index, item] of node.items.entries()) {
      const at = [...path, String(index)]
      const pair = this.#section(PAIR, item, at) as { name: string } | undefined
      const value = item.get(['value'])
      if (typeof pair?.name === 'string' && value) pairs.push([pair.name, value])
    }
    return pairs
  }

  #fault(
    path: Path,
    message: string,
    origin: Origin | undefined,
    code: DiagnosticCode,
    suggestion?: string,
  ): undefined {
    this.faults.push({
      path: joinPath(path),
      message,
      code,
      ...(origin && { origin }),
      ...(suggestion !== undefined && { suggestion }),
    })
  }
}

/** Defaults as received, once computed: they are the same for every instance. */
const DEFAULTS = new WeakMap<object, { readonly value: unknown }>()

/** An entry of headers written as a list. The value is checked with the headers' own schema. */
const PAIR: Schema<unknown> = {
  properties: { name: { type: 'string' }, value: {} },
  type: 'object',
}

function itemsOf(node: ConfigNode): readonly ConfigNode[] | undefined {
  if (node.kind === 'list') return node.items
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined
  const { value, origin } = node
  return value === '' ? [] : value.split(',').map(part => new ScalarNode(part, origin))
}

function isFault(result: unknown): result is ScalarFault {
  return typeof result === 'object' && result !== null && 'fault' in result
}

function deepFreeze<V>(value: V): V {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const child of Object.values(value)) deepFreeze(child)
  }
  return value
}
