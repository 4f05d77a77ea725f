import type { ExporterLedger, InstanceId, Ledger, LedgerReport, PipelineLedger } from '#core/component'

/**
 * The item ledger of one collector: what every pipeline received and what became of it. The graph's edges write what
 * came in, went out and was given back; components write what they keep or end (see `Ledger`).
 */
export class LedgerBook {
  readonly #pipelines = new Map<string, PipelineAccount>()
  readonly #exporters = new Map<string, ExporterAccount>()

  /** The account of a pipeline, made at first use; it survives a reload. */
  pipeline(id: string): PipelineAccount {
    let account = this.#pipelines.get(id)
    if (account === undefined) {
      account = new PipelineAccount()
      this.#pipelines.set(id, account)
    }
    return account
  }

  /** The account of an exporter over all its pipelines and signals. */
  exporter(id: string): ExporterAccount {
    let account = this.#exporters.get(id)
    if (account === undefined) {
      account = new ExporterAccount()
      this.#exporters.set(id, account)
    }
    return account
  }

  /**
   * What a component writes into: exporters into their own account, processors and connectors into that of their
   * pipeline. A connector stands at the end of its pipelines and at the head of others, as an exporter and a receiver
   * do; what it keeps is entered under its own id among the exporters.
   */
  component(instance: InstanceId): Ledger {
    if (instance.kind === 'exporter' || instance.kind === 'connector') return this.exporter(instance.id)
    return this.pipeline(instance.pipelines[0] ?? '')
  }

  report(): LedgerReport {
    return {
      pipelines: Object.fromEntries([...this.#pipelines].map(([id, account]) => [id, account.report()])),
      exporters: Object.fromEntries([...this.#exporters].map(([id, account]) => [id, account.report()])),
    }
  }
}

class Account {
  #queued = 0
  readonly #dropped = new Map<string, number>()
  protected in = 0
  protected back = 0

  received(items: number): void {
    this.in += items
  }

  refused(items: number): void {
    this.back += items
  }

  queued(_signal: string, items: number): void {
    this.#queued += items
  }

  dropped(_signal: string, items: number, reason: string): void {
    if (items > 0) this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + items)
  }

  protected get common(): { received: number; refused: number; queued: number; dropped: Record<string, number> } {
    return {
      received: this.in,
      refused: this.back,
      queued: this.#queued,
      dropped: Object.fromEntries([...this.#dropped].sort()),
    }
  }
}

/** One pipeline: received + created = refused + dropped + queued + delivered, once nothing is under way. */
export class PipelineAccount extends Account implements Ledger {
  #created = 0
  #delivered = 0

  delivered(items: number): void {
    this.#delivered += items
  }

  created(_signal: string, items: number): void {
    this.#created += items
  }

  /** Only exporters bring items to a destination. */
  sent(): void {}

  report(): PipelineLedger {
    return { ...this.common, created: this.#created, delivered: this.#delivered }
  }
}

/** One exporter: received + created = refused + sent + queued + dropped, once nothing is under way. */
export class ExporterAccount extends Account implements Ledger {
  #created = 0
  #sent = 0

  sent(_signal: string, items: number): void {
    this.#sent += items
  }

  created(_signal: string, items: number): void {
    this.#created += items
  }

  report(): ExporterLedger {
    return { ...this.common, created: this.#created, sent: this.#sent }
  }
}
