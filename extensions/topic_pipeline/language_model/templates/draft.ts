import type { OutputFormat } from '../../model/stages.ts'
import type { DraftMaterial } from '../material.ts'
import { blogPost } from './blog-post.ts'
import { linkedinPost } from './linkedin-post.ts'
import { newsletter } from './newsletter.ts'
import { headline, type Quote, quotesOf } from './quotes.ts'
import { youtubeScript } from './youtube-script.ts'

/** Stands at the top of everything that was written without a model. */
export const TEMPLATE_LABEL =
  'Template draft: no language model wrote this. Quotes are from the sources, the rest is yours to write.'

const TEMPLATES: Readonly<Record<OutputFormat, (material: DraftMaterial, quotes: readonly Quote[]) => string>> = {
  blog_post: blogPost,
  youtube_script: youtubeScript,
  linkedin_post: linkedinPost,
  newsletter,
}

/** A draft that keeps its format's promises with quotes of its sources and places for the writer's own words. */
export function templateDraft(material: DraftMaterial): string {
  const heading = (title: string) =>
    material.format === 'linkedin_post' ? headline(title) : headline(title).replace(/<(?=[a-z!/])/gi, '&lt;')
  const title = heading(material.title)
  const sources = material.sources.map(source => ({ ...source, title: heading(source.title) }))
  const body = TEMPLATES[material.format]({ ...material, title, sources }, quotesOf(material))
  const label = material.format === 'linkedin_post' ? `[${TEMPLATE_LABEL}]` : `> ${TEMPLATE_LABEL}`
  const wish = material.feedback?.replace(/\s+/g, ' ').trim()
  const asked = wish === undefined || wish === '' ? '' : `\n\nAsked for: ${wish.slice(0, 300)}`
  return `${label}${asked}\n\n${body}\n`
}
