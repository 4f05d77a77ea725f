import type { Definition, Distribution } from '#core/component'
import { nearest } from '#core/config'
import { SECTIONS } from '#core/pipeline'
import { COMPONENT_SECTIONS, type ComponentSection, definitionOf } from '../diagnostics/written-schema.ts'
import { substituteFor } from './collector-components.ts'

/** What a distribution offers in the place of a component that it does not have. */
export interface Offer {
  /** What comes nearest, `otlp_http exporter`; what the distribution does not have is left out. */
  readonly nearest: readonly string[]
  /** A sentence. */
  readonly advice: string
}

/** What to do where a component of the Collector, or one of nobody, is not at hand. */
export function offerFor(kind: Definition['kind'], type: string, distribution: Distribution): Offer {
  const substitute = substituteFor(kind, type)
  if (substitute === undefined) {
    const similar = nearest(type, typesOf(distribution[SECTIONS[kind]]))
    return {
      nearest: similar === undefined ? [] : [`${similar} ${kind}`],
      advice: `No distribution of the Collector has ${article(kind)} of this name: load it with \`service::components\` or \`--component\``,
    }
  }
  const present = substitute.nearest.filter(path => has(distribution, path))
  return { nearest: present.map(inWords), advice: substitute.advice }
}

/** The same in one sentence, for a fault. Undefined when the Collector has no such component. */
export function hintFor(kind: Definition['kind'], type: string, distribution: Distribution): string | undefined {
  if (substituteFor(kind, type) === undefined) return undefined
  const { nearest: near, advice } = offerFor(kind, type, distribution)
  const also = near.length === 0 ? '' : ` (nearest: ${near.join(', ')})`
  return `The Collector has it, ${distribution.command} has not. ${advice}${also}`
}

function has(distribution: Distribution, path: string): boolean {
  const [section, type] = path.split('/') as [ComponentSection, string]
  return COMPONENT_SECTIONS.includes(section) && definitionOf(distribution, section, type) !== undefined
}

function inWords(path: string): string {
  const [section, type] = path.split('/') as [string, string]
  return `${type} ${section.slice(0, -1)}`
}

function typesOf(definitions: readonly Definition[]): string[] {
  return definitions.map(one => one.type)
}

function article(kind: string): string {
  return `${kind === 'exporter' || kind === 'extension' ? 'an' : 'a'} ${kind}`
}
