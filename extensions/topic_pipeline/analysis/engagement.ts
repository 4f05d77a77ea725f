import type { Topic } from '../model/topic.ts'

/** Scores of other topics of the source, in the source's own count. */
export type EngagementSample = readonly number[]

/** So many imagined topics in the middle stand beside the sample, so that a few real ones decide little. */
const SHRINK = 10
/** Readers need so long, in milliseconds, before their count says something. */
const RIPE = 2 * 24 * 3_600_000

/**
 * Where a topic stands among those of its source by what readers did, 0 to 1, drawn towards the middle while there are
 * few others or it is young. `undefined` when the source does not count.
 */
export function engagementPart(topic: Topic, sample: EngagementSample, now: number): number | undefined {
  const { score } = topic.engagement ?? {}
  if (score === undefined || sample.length === 0) return undefined
  let [below, equal] = [0, 0]
  for (const other of sample) {
    if (other < score) below++
    else if (other === score) equal++
  }
  const percentile = (below + equal / 2) / sample.length
  const age = Math.max(0, now - (topic.sourceDate ?? topic.collectedAt))
  const weight = (sample.length / (sample.length + SHRINK)) * Math.min(1, (age + RIPE / 4) / RIPE)
  return 0.5 + (percentile - 0.5) * weight
}
