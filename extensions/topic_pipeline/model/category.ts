/** What is looked for, and where. */
export interface Category {
  readonly id: number
  readonly name: string
  readonly description: string
  /** Any of these makes a topic one of the category's. */
  readonly keywords: readonly string[]
  /** Any of these in title or tags keeps a topic out. */
  readonly negativeKeywords: readonly string[]
  /** Types of the scanners that look; empty: all that are enabled. */
  readonly sources: readonly string[]
  /** Minutes between two scans. */
  readonly scanFrequency: number
  /** Cron expression that takes the place of `scanFrequency`; `null`: none. */
  readonly scanCron: string | null
  readonly enabled: boolean
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number
}

export type NewCategory = Omit<Category, 'id' | 'createdAt'>
