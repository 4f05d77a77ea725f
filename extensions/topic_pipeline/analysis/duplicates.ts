import type { EmbeddingSpace } from '../language_model/language-model.ts'
import type { Topic } from '../model/topic.ts'
import { canonicalUrl } from '../scanners/canonical-url.ts'
import type { Neighbour, Tables } from '../store/store.ts'
import { addressBand, bandsOf, jaccard, SHORTEST, shinglesOf } from './fingerprint.ts'
import { type Subject, subjectOf } from './subject.ts'

/** Share of common shingles from which two texts are one. */
export const SAME_TEXT = 0.8
/** Topics that are looked at more closely. */
const CANDIDATES = 8

/** What finds topics that say the same. */
export interface Fingerprint {
  readonly address: string
  /** One of the address, the others of the text. */
  readonly bands: readonly number[]
  readonly shingles: ReadonlySet<number>
}

/** An analysed topic that says the same. */
export interface Duplicate {
  readonly id: number
  /** For example `shared text 0.93 ≥ 0.80`. */
  readonly why: string
}

export function fingerprintOf({ topic, words }: Subject): Fingerprint {
  const address = addressOf(topic)
  const shingles = shinglesOf(words)
  return { address, shingles, bands: [addressBand(address), ...bandsOf(words, shingles)] }
}

/** Another topic under the same address. */
export async function sameAddress(
  tables: Pick<Tables, 'topics'>,
  topic: Topic,
  address = addressOf(topic),
): Promise<Duplicate | undefined> {
  const others = await candidates(tables, topic.id, [addressBand(address)])
  const same = others.find(other => addressOf(other) === address)
  return same && { id: same.id, why: 'same address' }
}

/** Another topic under the same address, or with nearly the same text. */
export async function sameText(
  tables: Pick<Tables, 'topics'>,
  topicId: number,
  { address, bands, shingles }: Fingerprint,
): Promise<Duplicate | undefined> {
  for (const other of await candidates(tables, topicId, bands)) {
    if (addressOf(other) === address) return { id: other.id, why: 'same address' }
    const { words } = subjectOf(other)
    if (words.length <= SHORTEST) continue
    const shared = jaccard(shingles, shinglesOf(words))
    if (shared >= SAME_TEXT) return { id: other.id, why: `shared text ${shared.toFixed(2)} ≥ ${SAME_TEXT.toFixed(2)}` }
  }
  return undefined
}

/** The nearest other topic that is analysed, when it is near enough to be the same. */
export async function sameVector(
  tables: Pick<Tables, 'topics'>,
  topicId: number,
  neighbours: readonly Neighbour<number>[],
  space: EmbeddingSpace,
): Promise<Duplicate | undefined> {
  const limit = space.thresholds.duplicate
  const near = neighbours.filter(({ id, similarity }) => id !== topicId && similarity >= limit)
  const present = await tables.topics.many(near.map(({ id }) => id))
  const first = present.find(({ stage }) => stage === 'analyzed')
  const similarity = near.find(({ id }) => id === first?.id)?.similarity ?? 0
  return first === undefined
    ? undefined
    : { id: first.id, why: `cosine ${similarity.toFixed(2)} ≥ ${limit.toFixed(2)}` }
}

async function candidates(tables: Pick<Tables, 'topics'>, id: number, bands: readonly number[]): Promise<Topic[]> {
  const found = await tables.topics.many(await tables.topics.sharingBands(id, bands, CANDIDATES))
  return found.filter(({ stage }) => stage === 'analyzed')
}

function addressOf(topic: Topic): string {
  return canonicalUrl(topic.canonicalUrl ?? topic.url)
}
