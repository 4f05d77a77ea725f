import { type Static, t } from '#core/config'
import { checkDelivery, deliveryFields } from '#core/delivery'

export const debugConfig = t.section({
  verbosity: t.oneOf(['basic', 'normal', 'detailed'], {
    default: 'basic',
    description: 'How much is printed: a line a request, a line a record as well, or every field of every record.',
  }),
  sampling_initial: t.integer({
    default: 2,
    minimum: 0,
    description: 'How many equal messages are printed in each second before sampling begins.',
  }),
  sampling_thereafter: t.integer({
    default: 1,
    minimum: 0,
    description: 'After those only every n-th is printed. `1` prints all, `0` none.',
  }),
  use_internal_logger: t.boolean({
    default: true,
    description: "Prints through the collector's own log, with its level, encoding and outputs.",
  }),
  output_paths: t.optional(
    t.list(t.string({ description: '`stdout`, `stderr`, or the path of a file to append to.' }), {
      description: 'Where to print without the internal logger; `[stdout]` when not written.',
    }),
  ),
  sending_queue: deliveryFields({ queue: 'off' }).sending_queue,
})

export type DebugConfig = Static<typeof debugConfig>

export function* checkDebugConfig(config: DebugConfig): Iterable<string> {
  const { use_internal_logger: internal, output_paths: paths } = config
  if (internal && paths !== undefined) yield 'output_paths is not supported when use_internal_logger is true'
  if (!internal && paths?.length === 0) yield 'output_paths must not be empty when use_internal_logger is false'
  yield* checkDelivery({ timeout: 0, retry_on_failure: undefined, sending_queue: config.sending_queue })
}
