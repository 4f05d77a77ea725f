import type { Component, ComponentId, Host, Kind } from '#core/component'
import type { Store } from './store.ts'

/** An extension that keeps data for components. */
export interface StorageExtension extends Component {
  /**
   * Opens the store of one component, made at first use. `name` tells several stores of one component apart, empty for
   * the only one. A store is open once at a time.
   * @throws {Error} when it cannot be opened, with the reason
   */
  openStore(kind: Kind, id: ComponentId, name: string): Promise<Store>
}

/** Whether an extension keeps data. */
export function isStorageExtension(extension: Component): extension is StorageExtension {
  return 'openStore' in extension && typeof extension.openStore === 'function'
}

/**
 * Opens a store of the storage extension that a configuration names.
 * @throws {Error} in the Collector's words when no such extension runs or it keeps no data
 */
export async function openStore(
  host: Host,
  extensionId: string,
  kind: Kind,
  id: ComponentId,
  name: string,
): Promise<Store> {
  const extension = host.extension(extensionId)
  if (extension === undefined) throw new Error(`no storage client extension found: ${extensionId}`)
  if (!isStorageExtension(extension)) {
    throw new Error(`requested extension is not a storage extension: ${extensionId}`)
  }
  return extension.openStore(kind, id, name)
}
