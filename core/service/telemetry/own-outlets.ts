import { consoleExporter } from './console-exporter.ts'
import type { OwnExporterConfig, OwnProcessorConfig, PeriodicReaderConfig } from './export-schema.ts'
import { type LossDeps, Losses } from './losses.ts'
import type { MetricStore } from './metric-store.ts'
import { type ExporterDeps, openOtlpExporter } from './otlp-exporter.ts'
import { ExportConsumer, type OwnExporter } from './own-exporter.ts'
import { type OwnSignal, OwnSignalFeed, type Serialize } from './own-signals.ts'
import { PeriodicReader } from './periodic-reader.ts'

/** What outlets of own telemetry work with. */
export interface OutletDeps extends ExporterDeps, LossDeps {
  readonly serialize: Serialize
  readonly stdout: { write(text: string): unknown }
}

/** Where records of one signal go: an entry of `processors`. */
export interface Outlet {
  readonly feed: OwnSignalFeed
  /** @throws when its exporter cannot be made */
  start(): Promise<void>
  /** Exports what waits; never rejects. */
  close(): Promise<void>
}

/** What one entry of `logs::processors` or `traces::processors` asks for: a feed for `batch`, one for `simple`. */
export function outletsOf(processor: OwnProcessorConfig, signal: 'traces' | 'logs', deps: OutletDeps): Outlet[] {
  const outlets: Outlet[] = []
  const { batch, simple } = processor
  if (batch !== undefined) {
    const { schedule_delay: delay, max_queue_size: maxWaiting, max_export_batch_size: most } = batch
    const settings = { delay, maxWaiting, maxBatch: Math.min(most, maxWaiting) }
    outlets.push(...outletsTo(batch.exporter, signal, settings, batch.export_timeout, deps))
  }
  if (simple !== undefined) outlets.push(...outletsTo(simple.exporter, signal, ONE_BY_ONE, EXPORT_TIMEOUT, deps))
  return outlets
}

/** A `periodic` entry of `metrics::readers`: a reader for each of its exporters. */
export function readersOf(periodic: PeriodicReaderConfig, store: MetricStore, deps: OutletDeps): PeriodicReader[] {
  const { clock, serialize } = deps
  return exportersOf(periodic.exporter, 'metrics', deps).map(([name, open]) => {
    const end = new ExportConsumer(open, periodic.timeout, clock)
    return new PeriodicReader(periodic, { store, serialize, end, losses: new Losses(name, deps), clock })
  })
}

const EXPORT_TIMEOUT = 30_000
const ONE_BY_ONE = { delay: 0, maxWaiting: 2048, maxBatch: 1 }

function outletsTo(
  exporter: OwnExporterConfig,
  signal: OwnSignal,
  settings: { readonly delay: number; readonly maxWaiting: number; readonly maxBatch: number },
  timeout: number,
  deps: OutletDeps,
): Outlet[] {
  const { clock, serialize } = deps
  return exportersOf(exporter, signal, deps).map(([name, open]) => {
    const losses = new Losses(name, deps)
    const end = new ExportConsumer(open, timeout, clock)
    const lost = losses.add.bind(losses)
    const feed = new OwnSignalFeed({ [signal]: end }, serialize, { clock, settings, lost })
    return {
      feed,
      start: () => end.start(),
      async close() {
        end.hurry()
        await feed.close()
        await end.close()
        losses.tell()
      },
    }
  })
}

/** The exporters that are configured, with a name for the log; each is opened when it is first needed. */
function exportersOf(exporter: OwnExporterConfig, signal: OwnSignal, deps: OutletDeps) {
  const { otlp, console } = exporter
  const found: (readonly [name: string, open: () => Promise<OwnExporter>])[] = []
  if (otlp !== undefined) found.push(['otlp', () => openOtlpExporter(otlp, signal, deps)])
  if (console !== undefined) found.push(['console', async () => consoleExporter(deps.stdout)])
  return found
}
