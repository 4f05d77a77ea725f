/**
 * What stands between an exporter and its destination: queue, batch, retry, timeout.
 * @module
 */
export type { Send, SendContext } from './attempt.ts'
export { checkDelivery, duplicateKeyFaults } from './check.ts'
export { createDelivery, type DeliveryOptions } from './delivery.ts'
export { findInStorage, leaveInStorage } from './left-overs.ts'
export {
  type BatchConfig,
  type DeliveryConfig,
  type DeliveryDefaults,
  type DeliveryFields,
  deliveryFields,
  type QueueConfig,
  type RetryConfig,
} from './options.ts'
export type { DropReason, GiveUp } from './outcome.ts'
