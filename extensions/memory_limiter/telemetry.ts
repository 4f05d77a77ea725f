import { counter, gauge } from '#core/component'

/** Label: `extension`. */
export const memoryLimiterInstruments = {
  refused: counter({
    name: 'otelcol_extension_memory_limiter_refused_requests',
    unit: '{request}',
    description: 'Number of requests that were refused because memory was short.',
  }),
  used: gauge({
    name: 'otelcol_extension_memory_limiter_used',
    unit: 'By',
    description: 'Memory of objects and buffers at the last look: what is compared with the limits.',
  }),
  expected: gauge({
    name: 'otelcol_extension_memory_limiter_expected',
    unit: 'By',
    description: 'Bytes of bodies that were let in and have not arrived as a whole.',
  }),
}
