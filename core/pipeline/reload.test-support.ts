/** The sections of a configuration of lab components. */
export interface Parts {
  readonly receivers: string
  readonly processors: string
  readonly exporters: string
  readonly connectors: string
  readonly extensions: string
  readonly enabled: string
  readonly pipelines: string
}

/** Two pipelines joined by a connector, with a transform and a queue. */
export const usual: Parts = {
  receivers: 'probe: , probe/2: ',
  processors: 'probe: , queue: , transform: ',
  exporters: 'probe: , probe/2: ',
  connectors: 'probe/c: ',
  extensions: 'probe: , probe/auth: ',
  enabled: 'probe, probe/auth',
  pipelines: `
    traces: { receivers: [probe], processors: [transform, queue], exporters: [probe, probe/c] }
    traces/2: { receivers: [probe/c, probe/2], processors: [probe], exporters: [probe/2] }`,
}
/** The usual configuration with some parts replaced. */
export function yaml(over: Partial<Parts> = {}): string {
  const { enabled, pipelines, ...sections } = { ...usual, ...over }
  const texts = Object.entries(sections).map(([name, text]) => `${name}: { ${text} }`)
  return `${texts.join('\n')}\nservice:\n  extensions: [${enabled}]\n  pipelines:${pipelines}`
}
