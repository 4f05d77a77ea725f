import { type Static, t } from '#core/config'

const compaction = t.section(
  {
    on_start: t.boolean({
      default: false,
      description: 'Rewrite each file without its unused pages when it is opened.',
    }),
    on_rebound: t.boolean({
      default: false,
      description: 'Accepted for compatibility: unused pages are filled again, so there is no rebound to compact.',
    }),
    directory: t.string({
      default: '',
      description: 'Where compaction writes its temporary files. Empty: in `directory`.',
    }),
    max_transaction_size: t.integer({ default: 65536, description: 'Accepted for compatibility, without effect.' }),
    cleanup_on_start: t.boolean({
      default: false,
      description: 'Remove temporary files that an interrupted compaction left behind.',
    }),
    rebound_needed_threshold_mib: t.integer({
      default: 100,
      description: 'Accepted for compatibility, without effect.',
    }),
    rebound_trigger_threshold_mib: t.integer({
      default: 10,
      description: 'Accepted for compatibility, without effect.',
    }),
    check_interval: t.duration({ default: '5s', description: 'Accepted for compatibility, without effect.' }),
  },
  { description: 'How files give back space.' },
)

export const fileStorageConfig = t.section({
  directory: t.string({
    default: '/var/lib/otelcol/file_storage',
    minLength: 1,
    description: 'Where the files are. It must exist unless `create_directory` is set.',
  }),
  create_directory: t.boolean({ default: false, description: 'Create `directory` when it does not exist.' }),
  directory_permissions: t.string({
    default: '0750',
    description: 'The permissions of a directory created here, in octal.',
  }),
  timeout: t.duration({
    default: '1s',
    description: 'How long to wait for a file that another process has open. `0s`: for ever.',
  }),
  fsync: t.boolean({
    default: false,
    description:
      'Let writers wait until their data is on the disk: it then outlives the machine, not only the process.',
  }),
  compaction,
})

export type FileStorageConfig = Static<typeof fileStorageConfig>

/** The Collector's own sentences for what the types of options do not say. */
export function* checkFileStorageConfig(config: FileStorageConfig): Iterable<string> {
  if (config.compaction.max_transaction_size < 0) {
    yield 'compaction: max transaction size for compaction cannot be less than 0'
  }
  if (config.compaction.on_rebound && config.compaction.check_interval <= 0) {
    yield 'compaction: compaction check interval must be positive when rebound compaction is set'
  }
  if (!config.create_directory) return
  if (!/^[0-7]+$/.test(config.directory_permissions)) {
    yield 'directory_permissions value must be a valid octal representation of a file permission'
  } else if (Number.parseInt(config.directory_permissions, 8) > 0o777) {
    yield 'directory_permissions contain invalid bits for file access'
  }
}
