/** What can receive events. */
export const PRESETS = [
  'webhook',
  'dynatrace',
  'splunk_hec',
  'elastic',
  'datadog',
  'sentinel',
  'google_secops',
  'sumo_logic',
] as const
export type Preset = (typeof PRESETS)[number]
