/**
 * Custom builds: distributions that contain only what a manifest asks for.
 * @module
 */
export { buildCommands } from './build-commands.ts'
export { type SourceDistribution, sourceDistribution } from './source-distribution.ts'
