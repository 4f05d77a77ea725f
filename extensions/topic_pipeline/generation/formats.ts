import type { OutputFormat } from '../model/stages.ts'

/** What a model is told about a format, and how much it may write. */
export interface FormatInstructions {
  readonly instructions: string
  /** Tokens of an answer. */
  readonly maxTokens: number
}

/** Code points of a LinkedIn post: fewer than this. */
export const LINKEDIN_LIMIT = 3000
/** Words of a script that takes 8 to 12 minutes, at 140 to 150 words a minute. */
export const SCRIPT_WORDS = { least: 1100, most: 1800 } as const

export const FORMATS: Readonly<Record<OutputFormat, FormatInstructions>> = {
  blog_post: {
    instructions: [
      'Write a blog post in Markdown.',
      'Begin with a title as a first-level heading and an introduction before the next heading.',
      'Use at least two second-level headings.',
      'Show code in fenced blocks with their language where the subject has code.',
      'End with a section that concludes, under a heading of its own.',
    ].join('\n'),
    maxTokens: 4000,
  },
  youtube_script: {
    instructions: [
      'Write the script of a video of 8 to 12 minutes, in Markdown.',
      `Write between ${SCRIPT_WORDS.least + 100} and ${SCRIPT_WORDS.most - 100} words.`,
      'Begin with a hook: one or two sentences that make people stay.',
      'Divide it into sections with second-level headings.',
      'Say what is to be seen in lines such as [VISUAL: a diagram of the pipeline], at least one a section.',
      'End with a call to action.',
    ].join('\n'),
    maxTokens: 5000,
  },
  linkedin_post: {
    instructions: [
      `Write a LinkedIn post of fewer than ${LINKEDIN_LIMIT - 300} characters, in plain text without headings.`,
      'Begin with a hook in a paragraph of its own.',
      'Keep paragraphs short: one to three sentences.',
      'Ask a question at the end, or call to action.',
      'Close with a line of three to five hashtags.',
    ].join('\n'),
    maxTokens: 1500,
  },
  newsletter: {
    instructions: [
      'Write an issue of a newsletter in Markdown, in a conversational tone that can be scanned.',
      'Use headings and bulleted lists.',
      'End with a section headed "Key takeaways" that has a bulleted list.',
    ].join('\n'),
    maxTokens: 3000,
  },
}
