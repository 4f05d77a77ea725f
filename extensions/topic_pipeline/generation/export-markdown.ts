import type { Draft, DraftSource } from '../model/writing.ts'
import { citedMarkers } from './check-grounding.ts'

/** A draft as a Markdown document: citations are links, and the cited sources are listed with what their licences ask for. */
export function exportMarkdown(draft: Pick<Draft, 'text' | 'sources'>): string {
  const sources = new Map(draft.sources.map(source => [source.marker, source]))
  const cited = citedMarkers(draft.text).filter(marker => sources.has(marker))
  const text = draft.text.replace(/\[(S\d+(?:\s*,\s*S\d+)*)\](?!\()/g, (whole, markers: string) => {
    const known = markers.split(',').map(each => each.trim())
    if (!known.every(marker => sources.has(marker))) return whole
    return known.map(marker => `[\\[${marker}\\]](${addressOf(sources.get(marker)!)})`).join(' ')
  })
  const listed = (cited.length > 0 ? cited.map(marker => sources.get(marker)!) : draft.sources).map(lineOf)
  return listed.length === 0 ? `${text.trimEnd()}\n` : `${text.trimEnd()}\n\n## Sources\n\n${listed.join('\n')}\n`
}

function lineOf(source: DraftSource): string {
  const by = source.author === null ? '' : ` by ${escaped(source.author)}`
  const licence = source.licence === null ? '' : `, ${escaped(source.licence)}`
  return `- ${source.marker}: [${escaped(source.title)}](${addressOf(source)})${by}${licence}`
}

/** An address that cannot end its link, and is one of the web. */
function addressOf({ url }: DraftSource): string {
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol)) return '#'
  return address.href.replaceAll('(', '%28').replaceAll(')', '%29')
}

function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]<>*_`]/g, '\\$&')
}
