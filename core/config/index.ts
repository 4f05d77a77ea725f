export { type Option, type Schema, type Static, t } from './schema.ts'
