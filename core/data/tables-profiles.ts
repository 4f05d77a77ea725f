import { list, MessageType } from './message-type.ts'

/*
 * The profiles protocol is still in development and renumbers its fields between releases, so profiles travel as opaque
 * bytes. Only the path down to the samples has kept its numbers, and only it is known here, for counting.
 */

/** `opentelemetry.proto.profiles.v1development.Sample`. */
export const sampleMessage: MessageType = new MessageType('Sample', () => [])

/** `opentelemetry.proto.profiles.v1development.Profile`. */
export const profileMessage: MessageType = new MessageType('Profile', () => [list(2, 'samples', sampleMessage)])

/** `opentelemetry.proto.profiles.v1development.ScopeProfiles`. */
export const scopeProfilesMessage: MessageType = new MessageType('ScopeProfiles', () => [
  list(2, 'profiles', profileMessage),
])

/** `opentelemetry.proto.profiles.v1development.ResourceProfiles`. */
export const resourceProfilesMessage: MessageType = new MessageType('ResourceProfiles', () => [
  list(2, 'scopeProfiles', scopeProfilesMessage),
])

/** `opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest`. */
export const profilesMessage: MessageType = new MessageType('ExportProfilesServiceRequest', () => [
  list(1, 'resourceProfiles', resourceProfilesMessage),
])
