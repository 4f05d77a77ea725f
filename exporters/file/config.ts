import { type Static, t } from '#core/config'

const rotation = t.section({
  max_megabytes: t.integer({
    default: 100,
    minimum: 0,
    description: 'Start a new file before this one grows larger, in MiB. `0` means 100.',
  }),
  max_days: t.integer({
    default: 0,
    minimum: 0,
    description: 'Delete rotated files after this many days of 24 hours. `0`: their age does not matter.',
  }),
  max_backups: t.integer({
    default: 100,
    minimum: 0,
    description: 'How many rotated files to keep. `0`: all of them.',
  }),
  localtime: t.boolean({
    default: false,
    description: 'Names rotated files by local time instead of UTC.',
  }),
})

const groupBy = t.section(
  {
    enabled: t.boolean({ default: false, description: 'Writes to a file for each value of a resource attribute.' }),
    resource_attribute: t.string({
      default: 'fileexporter.path_segment',
      description: 'The resource attribute whose value replaces the `*` in `path`.',
    }),
    max_open_files: t.integer({
      default: 100,
      minimum: 1,
      description: 'How many files are kept open. The one that was used least recently is closed first.',
    }),
  },
  { description: 'A file for each group of resources.' },
)

export const fileConfig = t.section({
  path: t.string({ description: 'The file to write to, relative to the working directory.' }),
  format: t.oneOf(['json', 'proto'], {
    default: 'json',
    description: 'OTLP/JSON, an object a line, or OTLP protobuf, each message after its length.',
  }),
  append: t.boolean({
    default: false,
    description: 'Goes on behind what the file holds at start, instead of emptying it.',
  }),
  compression: t.oneOf(['', 'zstd'], {
    default: '',
    description: 'Compresses each message by itself. With it JSON has lengths before its messages, too.',
  }),
  compression_params: t.section(
    {
      level: t.integer({ default: 0, minimum: 0, maximum: 22, description: 'Level of zstd; `0` means 3.' }),
    },
    { description: 'How hard to compress.' },
  ),
  flush_interval: t.duration({
    default: '1s',
    description: 'Accepted, without effect: what was answered has been handed to the operating system already.',
  }),
  create_directory: t.boolean({
    default: false,
    description: 'Creates the directories that lead to the file.',
  }),
  directory_permissions: t.string({
    default: '',
    description: 'Permissions of directories that are created, in octal, minus the umask; `0755` when empty.',
  }),
  rotation: t.whenPresent(rotation, { description: 'Starts a new file when one is full.' }),
  group_by: groupBy,
})

export type FileConfig = Static<typeof fileConfig>
export type RotationConfig = Static<typeof rotation>

export function* checkFileConfig(config: FileConfig): Iterable<string> {
  const { path, append, compression, rotation, group_by: group, directory_permissions: permissions } = config
  if (path === '') yield 'path must be non-empty'
  if (append && compression === 'zstd') yield 'append and compression enabled at the same time is not supported'
  if (append && rotation !== undefined) yield 'append and rotation enabled at the same time is not supported'
  if (group.enabled) {
    if (path.split('*').length !== 2) yield 'path must contain exactly one * when group_by is enabled'
    else if (path.startsWith('*')) yield 'path must not start with * when group_by is enabled'
    if (group.resource_attribute === '') yield 'resource_attribute must not be empty when group_by is enabled'
  }
  if (permissions === '') return
  if (!config.create_directory) yield 'directory_permissions requires create_directory to be true'
  else if (!/^0?[0-7]+$/.test(permissions)) {
    yield 'directory_permissions value must be a valid octal representation'
  } else if (Number.parseInt(permissions, 8) > 0o777) {
    yield 'directory_permissions contain invalid bits for file access'
  }
}
