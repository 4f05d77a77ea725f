import type { StyleProfile } from '../model/writing.ts'

/** One profile of several, without a model: what most say; of lists what at least half have. */
export function mergeStyles(profiles: readonly StyleProfile[]): StyleProfile {
  const most = <K extends keyof StyleProfile>(key: K): StyleProfile[K] => commonest(profiles.map(each => each[key]))
  return {
    tone: most('tone'),
    avg_sentence_length: middleLength(profiles),
    vocabulary_complexity: most('vocabulary_complexity'),
    structural_patterns: shared(profiles.map(each => each.structural_patterns)),
    use_of_examples: most('use_of_examples'),
    use_of_analogies: most('use_of_analogies'),
    first_person: most('first_person'),
    typical_intro_style: most('typical_intro_style'),
    typical_conclusion_style: most('typical_conclusion_style'),
  }
}

/** The one that occurs most often, of equals the first. */
function commonest<T>(values: readonly T[]): T {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0]
}

function shared(lists: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>()
  for (const each of lists.flatMap(list => [...new Set(list)])) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts].filter(([, count]) => count * 2 >= lists.length).map(([each]) => each)
}

/** The profile whose sentences are of middling length tells it. */
function middleLength(profiles: readonly StyleProfile[]): string {
  const told = profiles.map(each => each.avg_sentence_length)
  const sorted = told.toSorted((a, b) => Number.parseFloat(a) - Number.parseFloat(b))
  return sorted[Math.floor((sorted.length - 1) / 2)]!
}
