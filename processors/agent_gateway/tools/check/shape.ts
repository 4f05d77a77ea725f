import { type ConfigNode, nearest, type Origin, type ScalarNode } from '#core/config'
import { type Availability, isAvailable } from '../gateway/facts.ts'
import type { GatewayVersion } from '../gateway/version.ts'
import { dotted, type Finding } from './finding.ts'
import { INCLUDE } from './subject.ts'

/** What a value of the gateway's configuration must be. Sections are strict: other keys are refused. */
export type Shape =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'string'; readonly maxLength?: number; readonly pattern?: RegExp }
  | {
      readonly kind: 'number'
      readonly whole?: boolean
      readonly min?: number
      readonly above?: number
      readonly max?: number
    }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'section'; readonly keys: Readonly<Record<string, Key>> }
  /** A boolean, or as long as `section` is available a section. */
  | { readonly kind: 'switch'; readonly section: Shape; readonly available: Availability }
  | { readonly kind: 'anything' }

/** A key of a section. */
export interface Key extends Availability {
  readonly shape: Shape
}

/**
 * Compares what is written with a shape, in the words that the gateway itself uses.
 * @param path of `node`
 */
export function checkShape(
  node: ConfigNode,
  shape: Shape,
  path: readonly string[],
  version: GatewayVersion,
): readonly Finding[] {
  const findings: Finding[] = []
  const say = (rule: string, message: string, more: Partial<Finding> = {}) =>
    void findings.push({
      severity: 'error',
      rule,
      path: dotted(path),
      message,
      ...(node.origin && { origin: node.origin }),
      ...more,
    })
  const wrongType = (expected: string) => say('type', `Invalid input: expected ${expected}, received ${typeOf(node)}`)
  const within = (key: string, child: ConfigNode, childShape: Shape) =>
    void findings.push(...checkShape(child, childShape, [...path, key], version))

  switch (shape.kind) {
    case 'anything':
      break
    case 'boolean':
      if (typeOf(node) !== 'boolean') wrongType('boolean')
      break
    case 'string':
      if (typeOf(node) !== 'string') wrongType('string')
      else checkText((node as ScalarNode).value as string, shape, say)
      break
    case 'number':
      if (typeOf(node) !== 'number') wrongType('number')
      else checkNumber((node as ScalarNode).value as number, shape, say)
      break
    case 'word':
      if (node.kind !== 'scalar' || !shape.words.includes(node.value as string)) {
        const words = shape.words.map(word => JSON.stringify(word))
        say(
          'word',
          words.length === 1
            ? `Invalid input: expected ${words[0]}`
            : `Invalid option: expected one of ${words.join('|')}`,
        )
      }
      break
    case 'list':
      if (node.kind !== 'list') wrongType('array')
      else for (const [index, item] of node.entries()) within(index, item, shape.of)
      break
    case 'map':
      if (node.kind !== 'map') wrongType(shape.of.kind === 'anything' ? 'object' : 'record')
      else for (const [key, value] of node.entries()) within(key, value, shape.of)
      break
    case 'switch': {
      const available = isAvailable(version, shape.available)
      if (node.kind !== 'map' || available === 'no') {
        if (typeOf(node) !== 'boolean') wrongType('boolean')
        break
      }
      if (available === 'unsure')
        say('type', `only a boolean is accepted by newer gateways, perhaps by ${version.text}`, { severity: 'warning' })
      findings.push(...checkShape(node, shape.section, path, version))
      break
    }
    case 'section':
      if (node.kind !== 'map') {
        wrongType('object')
        break
      }
      for (const [key, value] of node.entries()) {
        const origin = node.keyOrigin(key)
        const place: { origin?: Origin } = origin === undefined ? {} : { origin }
        if (key === INCLUDE) continue
        const known = Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined
        const available = known === undefined ? 'no' : isAvailable(version, known)
        if (available === 'no') {
          const suggestion = known === undefined ? nearest(key, keysOf(shape.keys, version)) : undefined
          say(
            'unknown-key',
            `Unrecognized key: ${JSON.stringify(key)}${known === undefined ? '' : since(known, version)}`,
            {
              ...place,
              ...(suggestion !== undefined && { suggestion }),
            },
          )
          continue
        }
        if (available === 'unsure') {
          say('unknown-key', `${version.text} may not know the key ${JSON.stringify(key)}${since(known!, version)}`, {
            ...place,
            severity: 'warning',
          })
        }
        within(key, value, known!.shape)
      }
  }
  return findings
}

type Say = (rule: string, message: string) => void

function checkText(text: string, { maxLength, pattern }: Shape & { kind: 'string' }, say: Say): void {
  if (maxLength !== undefined && text.length > maxLength) {
    say('range', `Too big: expected string to have <=${maxLength} characters`)
  } else if (pattern !== undefined && !pattern.test(text)) {
    say('pattern', `Invalid string: must match pattern ${pattern}`)
  }
}

function checkNumber(value: number, { whole, min, above, max }: Shape & { kind: 'number' }, say: Say): void {
  if (Number.isNaN(value)) say('type', 'Invalid input: expected number, received NaN')
  else if (whole === true && !Number.isSafeInteger(value)) say('type', 'Invalid input: expected int, received number')
  else if (min !== undefined && value < min) say('range', `Too small: expected number to be >=${min}`)
  else if (above !== undefined && value <= above) say('range', `Too small: expected number to be >${above}`)
  else if (max !== undefined && value > max) say('range', `Too big: expected number to be <=${max}`)
}

function typeOf(node: ConfigNode): string {
  if (node.kind === 'map') return 'object'
  if (node.kind === 'list') return 'array'
  return node.kind === 'null' ? 'null' : typeof node.value
}

function keysOf(keys: Readonly<Record<string, Key>>, version: GatewayVersion): string[] {
  return Object.keys(keys).filter(key => isAvailable(version, keys[key]!) !== 'no')
}

/** When a key that some gateways know came or went. */
function since({ came, went }: Availability, version: GatewayVersion): string {
  if (came !== undefined && isAvailable(version, { came }) !== 'yes') return `, known since ${came[1]}`
  return went === undefined ? '' : `, gone since ${went[1]}`
}
