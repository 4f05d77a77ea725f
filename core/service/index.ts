export { Collector, type CollectorOptions } from './collector.ts'
