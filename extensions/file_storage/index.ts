import { defineExtension } from '#core/component'
import { checkFileStorageConfig, fileStorageConfig } from './config.ts'
import { FileStorage } from './extension.ts'

/** Keeps data of components in files, so that it outlives the process: sending queues, cursors, dictionaries. */
export const fileStorageExtension = defineExtension({
  type: 'file_storage',
  description:
    'Keeps data of components in files, so that it outlives the process: sending queues, cursors, dictionaries.',
  stability: 'beta',
  config: fileStorageConfig,
  check: checkFileStorageConfig,
  create: (config, context) => new FileStorage(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { fileStorageExtension as fileStorage }
