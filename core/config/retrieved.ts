import type { Fault } from './fault.ts'
import { type ConfigNode, MapNode, ScalarNode } from './node.ts'
import type { Origin } from './origin.ts'
import { parseYamlNode, YamlError } from './yaml-parse.ts'

/** What a provider brought: a parsed value and the text that it was parsed from. */
export interface Retrieved {
  readonly node: ConfigNode
  /** What is put in when the reference stands within a longer text; undefined when there is no unambiguous text. */
  readonly text: string | undefined
  /** Why the text could not be read as YAML, so that it was taken as a string. */
  readonly notYaml?: YamlError
}

/**
 * Reads what a provider brought. A text that is a YAML string, or no YAML at all, is taken as it stands: quotes, tags
 * and all.
 * @param label names the source in origins
 * @throws {YamlError} when reading the text would cost too much
 */
export function retrievedFromYaml(text: string, label: string): Retrieved {
  try {
    const node = parseYamlNode(text, label)
    if (node.kind === 'scalar' && typeof node.value === 'string') return retrievedText(text, label)
    return { node, text }
  } catch (error) {
    if (!(error instanceof YamlError) || error.refused) throw error
    return { ...retrievedText(text, label), notYaml: error }
  }
}

/** A string, not read as YAML. */
export function retrievedText(text: string, label: string): Retrieved {
  return { node: new ScalarNode(text, start(label)), text }
}

/** A whole configuration: a map, or nothing at all, which is the empty map. Otherwise what is wrong. */
export function asConfiguration(retrieved: Retrieved, label: string): MapNode | Fault {
  const { node, notYaml } = retrieved
  if (node.kind === 'map') return node
  if (node.kind === 'null') return new MapNode(new Map(), start(label))
  const type = node.kind === 'list' ? '[]interface {}' : goTypeOf(node.value)
  const why = notYaml ? `: assuming string type since contents are not valid YAML: ${notYaml.message}` : ''
  return {
    path: '',
    message: `retrieved value (type=${type}) cannot be used as a Conf${why}`,
    origin: notYaml?.origin ?? start(label),
    code: notYaml ? 'invalid-yaml' : 'wrong-type',
  }
}

/** The name that messages of the Collector give to the type of a value. */
export function goTypeOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float64'
    default:
      if (Array.isArray(value)) return '[]interface {}'
      return value === null || value === undefined ? '<nil>' : 'map[string]interface {}'
  }
}

function start(label: string): Origin {
  return { file: label, line: 1, column: 1 }
}
