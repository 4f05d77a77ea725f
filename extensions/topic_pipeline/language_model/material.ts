import type { OutputFormat } from '../model/stages.ts'

/** What the deterministic local provider works from, because it reads no prompts. */
export type LocalMaterial = DraftMaterial | JsonMaterial

/** The answer itself, as the caller worked it out without a model. */
export interface JsonMaterial {
  readonly kind: 'json'
  readonly value: unknown
}

/** What a template draft is put together from. */
export interface DraftMaterial {
  readonly kind: 'draft'
  readonly format: OutputFormat
  readonly title: string
  /** The topic first, then its relatives; cited by their markers. */
  readonly sources: readonly MaterialSource[]
  /** For hashtags. */
  readonly tags: readonly string[]
  /** What the user said about the draft before this one. */
  readonly feedback?: string
}

export interface MaterialSource {
  /** `S1`, `S2`, … */
  readonly marker: string
  readonly title: string
  /** Markdown or plain text. */
  readonly text: string
}

/** Whether `material` is something that the local provider can work from. */
export function isLocalMaterial(material: unknown): material is LocalMaterial {
  if (typeof material !== 'object' || material === null || !('kind' in material)) return false
  return material.kind === 'json' || material.kind === 'draft'
}
