import { type Static, t } from '#core/config'
import { redactOption } from './edits/redact-option.ts'
import { stitchOption } from './stitch/stitch-option.ts'

export const agentGatewayConfig = t.section({
  prefix: t.string({
    default: 'openclaw',
    minLength: 1,
    description: "What the names of the gateway's spans, attributes and metrics begin with.",
  }),
  metric_prefix: t.string({
    default: '',
    description: 'What the names of its metrics begin with, when it was told another one for them. Empty: `prefix`.',
  }),
  rename_prefix: t.string({
    default: '',
    description:
      'What takes the place of the prefix in names of spans, metrics and attributes and in bodies that are names of events, in what leaves. Empty: nothing is renamed.',
  }),
  stitch: stitchOption,
  doubles: t.oneOf(['drop', 'mark', 'keep'], {
    default: 'drop',
    description:
      'What becomes of telemetry that the built-in export and the tracing plugin both send about the same work: one of the two is dropped, so that nothing is counted twice, or the built-in span is marked, or all is kept. Spans are compared only when `stitch` is on.',
  }),
  run_duration: t.oneOf(['outcome', 'agent', 'both'], {
    default: 'outcome',
    description:
      'Which series of `<prefix>.run.duration_ms` are kept. The gateway records a chat turn in two: one with `<prefix>.outcome`, which every run has, and one with `<prefix>.agent`, which only chat turns have.',
  }),
  copy_resource: t.boolean({
    default: true,
    description:
      "Give log records the resource attributes that the gateway's traces and metrics have, since it sends logs with `service.name` only.",
  }),
  redact: redactOption,
  gen_ai: t.boolean({
    default: false,
    description:
      'Name spans of model calls, agent turns and tools, their attributes and the token counter as the GenAI semantic conventions do.',
  }),
})

export type AgentGatewayConfig = Static<typeof agentGatewayConfig>

/** Faults that span several options. */
export function* checkAgentGatewayConfig({
  stitch,
  prefix,
  rename_prefix: renamed,
}: AgentGatewayConfig): Iterable<string> {
  if (renamed !== '' && /[.\s]$|^[.\s]/.test(renamed)) {
    yield `rename_prefix: must not begin or end with a dot or a space, found ${JSON.stringify(renamed)}`
  }
  if (/[.\s]$|^[.\s]/.test(prefix)) {
    yield `prefix: must not begin or end with a dot or a space, found ${JSON.stringify(prefix)}`
  }
  if (stitch === undefined) return
  if (stitch.storage === undefined && stitch.window > stitch.max_hold) {
    yield `stitch::window: ${stitch.window}ms is longer than a sender may be kept waiting (stitch::max_hold, ${stitch.max_hold}ms): name a storage extension under stitch::storage`
  }
}
