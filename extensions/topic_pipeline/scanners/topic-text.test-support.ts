/** Made-up articles: the same for the same seed, and no two seeds alike. @module */

const SUBJECTS =
  'collector exporter pipeline sampler dashboard scheduler operator gateway broker index cache replica cluster kernel compiler parser tracer profiler registry controller proxy queue shard planner resolver'.split(
    ' ',
  )
const OBJECTS =
  'spans metrics logs requests packets tables messages secrets snapshots retries timeouts batches certificates manifests partitions histograms exemplars deployments rollbacks migrations backups quotas sessions payloads alerts'.split(
    ' ',
  )
const VERBS =
  'keeps drops merges counts rewrites delays compresses verifies replays forwards groups splits stores loses measures encrypts samples labels archives rejects'.split(
    ' ',
  )
const REASONS =
  'a slow disk,a full queue,a missing index,an old client,a clock that drifts,a noisy neighbour,a wrong default,a late acknowledgement,a shared lock,a cold cache,a broken link,a greedy consumer'.split(
    ',',
  )
const PLACES =
  'in production,under load,at night,after an upgrade,during a failover,in a small team,on one machine,across two regions,behind a proxy,without a network'.split(
    ',',
  )

/** A title that contains `keyword`. */
export function titleFor(keyword: string, seed: number): string {
  const pick = picker(seed)
  return `How ${keyword} ${pick(VERBS)} ${pick(OBJECTS)} ${pick(PLACES)}: lesson ${seed}`
}

/** Markdown with headings, code, lists and some hundred words about `keyword`. */
export function articleFor(keyword: string, seed: number): string {
  const pick = picker(seed + 7919)
  const sentence = () =>
    `The ${pick(SUBJECTS)} ${pick(VERBS)} the ${pick(OBJECTS)} of the ${pick(SUBJECTS)} because of ${pick(REASONS)}, and that is what we saw ${pick(PLACES)}.`
  const paragraph = () => Array.from({ length: 4 }, sentence).join(' ')
  return [
    `This is about ${keyword} and what it does with ${pick(OBJECTS)} when there is ${pick(REASONS)}.`,
    paragraph(),
    `## Why the ${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)}`,
    paragraph(),
    ['```yaml', `${pick(SUBJECTS)}:`, `  limit: ${seed}`, `  policy: ${pick(VERBS)}`, '```'].join('\n'),
    `- ${sentence()}\n- ${sentence()}\n- ${sentence()}`,
    `## What ${keyword} changes`,
    paragraph(),
    paragraph(),
  ].join('\n\n')
}

/** The same as HTML. */
export function htmlFor(keyword: string, seed: number): string {
  return articleFor(keyword, seed)
    .split('\n\n')
    .map(block => {
      if (block.startsWith('## ')) return `<h2>${block.slice(3)}</h2>`
      if (block.startsWith('- ')) return `<ul>${block.replace(/^- (.*)$/gm, '<li>$1</li>')}</ul>`
      if (block.startsWith('```'))
        return `<pre><code class="language-yaml">${block.split('\n').slice(1, -1).join('\n')}</code></pre>`
      return `<p>${block}</p>`
    })
    .join('\n')
}

/** Source: mulberry32, a small generator of even numbers for its size. */
function picker(seed: number): <T>(from: readonly T[]) => T {
  let state = (seed * 2654435761) >>> 0
  return from => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return from[((mixed ^ (mixed >>> 14)) >>> 0) % from.length]!
  }
}

/** A number for a text, the same on every machine. */
export function seedOf(text: string): number {
  let hash = 2166136261
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619)
  return (hash >>> 0) % 1_000_000
}
