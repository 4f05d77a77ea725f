export * from './payload.ts'
export * from './records.ts'
export * from './signal.ts'
