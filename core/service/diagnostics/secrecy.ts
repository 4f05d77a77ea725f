import type { Distribution } from '#core/component'
import {
  type ConfigNode,
  elementOf,
  isCredentialName,
  kindOf,
  type Origin,
  optionsOf,
  parseYamlLoosely,
  type Schema,
  type Secrecy,
  type SourceTexts,
  splitKeys,
} from '#core/config'
import { COMPONENT_SECTIONS, definitionOf, serviceSchema } from './written-schema.ts'

/** Tells for the values of each source whether they may be shown. */
export type SecrecyByFile = (file: string) => Secrecy

/**
 * What the components of a distribution declare of the values of a configuration: those that are declared as secrets,
 * or are named like one, are secret; all other declared ones may be shown. Of the rest nothing is known.
 * @param root the resolved configuration; without it, what can be made out of `texts`
 */
export function secrecyOf(distribution: Distribution, root: ConfigNode | undefined, texts: SourceTexts): SecrecyByFile {
  const survey = new Survey(distribution)
  const roots = root === undefined ? looseRoots(texts) : [root]
  for (const one of roots) survey.configuration(one)
  return file => (line, column) => survey.at({ file, line, column })
}

function looseRoots(texts: SourceTexts): ConfigNode[] {
  return texts.configurations.flatMap(({ file, text }) => {
    const node = parseYamlLoosely(text, file)
    return node === undefined ? [] : [splitKeys(node)]
  })
}

class Survey {
  readonly #distribution: Distribution
  readonly #found = new Map<string, 'secret' | 'shown'>()

  constructor(distribution: Distribution) {
    this.#distribution = distribution
  }

  at(origin: Origin): 'secret' | 'shown' | undefined {
    return this.#found.get(keyOf(origin))
  }

  configuration(root: ConfigNode): void {
    for (const section of COMPONENT_SECTIONS) {
      const node = root.get([section])
      if (node?.kind !== 'map') continue
      for (const [id, component] of node.entries()) {
        this.#value(definitionOf(this.#distribution, section, id)?.config, component, id)
      }
    }
    const service = root.get(['service'])
    if (service !== undefined) this.#value(serviceSchema, service, 'service')
  }

  #value(schema: Schema<unknown> | undefined, node: ConfigNode, name: string): void {
    const kind = schema === undefined ? 'any' : kindOf(schema)
    if (schema?.secret === true || kind === 'headers') {
      this.#all(node, kind === 'headers')
    } else if (node.kind === 'scalar') {
      if (schema !== undefined && kind === 'list') this.#value(elementOf(schema), node, name)
      else if (isCredentialName(name) && (kind === 'any' || kind === 'string')) this.#mark(node.origin, 'secret')
      else if (kind !== 'any' && kind !== 'section' && kind !== 'map') this.#mark(node.origin, 'shown')
    } else {
      this.#below(schema, node, name)
    }
  }

  #below(schema: Schema<unknown> | undefined, node: ConfigNode, name: string): void {
    const kind = schema === undefined ? 'any' : kindOf(schema)
    for (const [key, child] of node.entries()) {
      if (kind === 'section') {
        const options = optionsOf(schema!)
        this.#value(Object.hasOwn(options, key) ? options[key] : undefined, child, key)
      } else {
        const element = schema !== undefined && (kind === 'map' || kind === 'list') ? elementOf(schema) : undefined
        this.#value(element, child, node.kind === 'list' ? name : key)
      }
    }
  }

  /** Everything below is secret, keys too; but names of headers are not, as keys or under `name` in a list. */
  #all(node: ConfigNode, isHeaders: boolean): void {
    if (node.kind === 'scalar') this.#mark(node.origin, 'secret')
    for (const [key, child] of node.entries()) {
      if (node.kind === 'map' && !isHeaders) this.#mark(node.keyOrigin(key), 'secret')
      if (isHeaders && key === 'name' && child.kind === 'scalar') this.#mark(child.origin, 'shown')
      else this.#all(child, isHeaders)
    }
  }

  /** What is secret once, through an alias for example, is secret everywhere. */
  #mark(origin: Origin | undefined, as: 'secret' | 'shown'): void {
    if (origin === undefined) return
    const key = keyOf(origin)
    if (this.#found.get(key) !== 'secret') this.#found.set(key, as)
  }
}

function keyOf({ file, line, column }: Origin): string {
  return `${line}:${column}:${file}`
}
