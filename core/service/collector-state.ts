/** The life of a collector, in the Collector's words. */
export type CollectorState = 'Starting' | 'Running' | 'Closing' | 'Closed'
