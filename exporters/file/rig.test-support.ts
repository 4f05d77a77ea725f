import type { Component, Consumer } from '#core/component'
import { configure, type TestContext, TestHost, testContext } from '#core/testing'
import { fileConfig } from './config.ts'
import { createFileExporter } from './exporter.ts'

export interface RunningExporter extends AsyncDisposable {
  readonly exporter: Component & Consumer
  readonly context: TestContext
}

/** A started exporter; `await using` shuts it down. */
export async function fileExporterWith(written: object): Promise<RunningExporter> {
  const context = testContext({ id: 'file', kind: 'exporter' })
  const exporter = createFileExporter(configure(fileConfig, written), context)
  await exporter.start?.(new TestHost())
  return { exporter, context, [Symbol.asyncDispose]: async () => exporter.shutdown?.() }
}

/** The messages of a file in which each stands after its length. */
export function* messagesOf(file: Buffer): Iterable<Buffer> {
  for (let at = 0; at < file.length; ) {
    const length = file.readUInt32BE(at)
    yield file.subarray(at + 4, at + 4 + length)
    at += 4 + length
  }
}
