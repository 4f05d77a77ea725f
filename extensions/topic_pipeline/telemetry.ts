import { counter, gauge, histogram } from '#core/component'

/** What the topic pipeline counts about itself. */
export const topicPipelineInstruments = {
  scans: counter({
    name: 'topics.scans',
    unit: '{scan}',
    description: 'Scans of sources that ended, by how.',
    labels: ['source', 'status'],
  }),
  found: counter({
    name: 'topics.found',
    unit: '{topic}',
    description: 'Topics that sources gave, known ones too.',
    labels: ['source'],
  }),
  added: counter({
    name: 'topics.new',
    unit: '{topic}',
    description: 'Topics that were not known yet.',
    labels: ['source'],
  }),
  notModified: counter({
    name: 'topics.not_modified',
    unit: '{request}',
    description: 'Requests that a source answered with: nothing new.',
    labels: ['source'],
  }),
  quota: gauge({
    name: 'topics.quota.remaining',
    unit: '{request}',
    description: 'Requests that a source still grants, where it tells.',
    labels: ['source'],
  }),
  jobs: counter({
    name: 'topics.jobs',
    unit: '{job}',
    description: 'Runs of jobs that ended: completed, put off, failed, or taken over by somebody else.',
    labels: ['stage', 'outcome'],
  }),
  duration: histogram({
    name: 'topics.job.duration',
    unit: 's',
    description: 'Time that a run of a job took.',
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    labels: ['stage'],
  }),
  latency: histogram({
    name: 'topics.job.latency',
    unit: 's',
    description: 'Time from when a job was due until a worker took it.',
    boundaries: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600, 3600],
    labels: ['stage'],
  }),
} as const

export { analysisInstruments } from './analysis/telemetry.ts'
export { languageModelInstruments } from './language_model/telemetry.ts'
