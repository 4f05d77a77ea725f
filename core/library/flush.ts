import type { Clock, ExporterLedger, LedgerReport, PipelineLedger } from '#core/component'

/** Milliseconds between two looks. */
const LOOK = 5

/**
 * Resolves once everything that was received has been sent, dropped or refused: nothing waits and nothing is under way.
 * @param deadline milliseconds
 * @throws {Error} naming what still waits at the deadline
 */
export async function flush(ledger: () => LedgerReport, clock: Clock, deadline: number): Promise<void> {
  const end = clock.monotonic() + deadline
  for (;;) {
    const open = openItems(ledger())
    if (open.length === 0) return
    if (clock.monotonic() >= end) throw new Error(`Could not flush within ${deadline} ms: ${open.join(', ')} wait`)
    await clock.sleep(LOOK)
  }
}

function openItems({ pipelines, exporters }: LedgerReport): string[] {
  const accounts = [...Object.entries(pipelines), ...Object.entries(exporters)]
  return accounts
    .map(([id, account]) => [id, openOf(account)] as const)
    .filter(([, items]) => items > 0)
    .map(([id, items]) => `${items} items of ${id}`)
}

/** received + created = refused + dropped + queued + gone, once nothing is under way: queued and under way are the rest. */
function openOf(account: PipelineLedger | ExporterLedger): number {
  const gone = 'sent' in account ? account.sent : account.delivered
  const dropped = Object.values(account.dropped).reduce((sum, items) => sum + items, 0)
  return account.received + account.created - account.refused - dropped - gone
}
