import { type Static, t } from '#core/config'

const exportSection = t.section(
  {
    stability: t.oneOf(['experimental', 'development'], {
      default: 'experimental',
      description: 'What exported groups and attributes say of their stability; the registry tool reads both alike.',
    }),
    log_group_type: t.oneOf(['attribute_group', 'log'], {
      default: 'attribute_group',
      description: 'The `type` of groups of log attributes. The registry tool refuses `log`.',
    }),
    annotation_prefix: t.string({
      default: 'proxy',
      minLength: 1,
      description: 'What the names of annotations begin with, for example `proxy.status`.',
    }),
  },
  { description: 'How the dictionary is exported.' },
)

export const semconvDictionaryConfig = t.section({
  storage: t.optional(
    t.componentId({ description: 'The storage extension that keeps the dictionary. Without it, it lives in memory.' }),
  ),
  persist_interval: t.duration({
    default: '750ms',
    description:
      'How often what has changed is stored; with the time that storing takes, a crash loses the last second.',
  }),
  worker_count: t.integer({
    default: 0,
    minimum: 0,
    maximum: 64,
    description: 'Threads that analyse. `0`: half as many as the machine runs in parallel, at least one.',
  }),
  ring_buffer_size: t.integer({
    default: 10_000,
    minimum: 1,
    maximum: 10_000_000,
    description: 'Requests that may wait to be analysed. What comes when it is full is forwarded and not analysed.',
  }),
  ring_buffer_bytes: t.bytes({ default: '64MiB', description: 'Bytes that may wait to be analysed.' }),
  global_budget: t.integer({
    default: 10_000,
    minimum: 1,
    description: 'Entries, and hashes of values counted one by one, that are kept in all.',
  }),
  per_attribute_cap: t.integer({
    default: 1000,
    minimum: 1,
    description: 'Distinct values above which an entry is marked as overflowed. It is counted all the same.',
  }),
  shard_count: t.integer({
    default: 64,
    minimum: 1,
    maximum: 4096,
    description: 'Parts of the dictionary that are aged one by one.',
  }),
  stale_after: t.duration({ default: '24h', description: 'An entry not seen for so long is stale.' }),
  purge_after: t.duration({ default: '168h', description: 'An entry not seen for so long is removed.' }),
  registry_paths: t.list(t.string({ description: 'A registry file, or a directory of them.' }), {
    default: [],
    description: 'Registries that entries are compared with before the standard: files or directories of YAML.',
  }),
  probes: t.boolean({
    default: false,
    description:
      'Answer `/healthz` and `/readyz` of the `api` extension in the words of the semantic-convention proxy.',
  }),
  export: exportSection,
})

export type SemconvDictionaryConfig = Static<typeof semconvDictionaryConfig>

/** Faults across options. */
export function* checkSemconvDictionaryConfig(config: SemconvDictionaryConfig): Iterable<string> {
  if (config.persist_interval <= 0) yield 'persist_interval: must be positive'
  if (config.stale_after <= 0) yield 'stale_after: must be positive'
  if (config.purge_after < config.stale_after) yield 'purge_after: must not be shorter than stale_after'
  if (config.ring_buffer_bytes <= 0) yield 'ring_buffer_bytes: must be positive'
}
