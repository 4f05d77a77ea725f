import { readFile, stat, writeFile } from 'node:fs/promises'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { NO_CONTEXT, RetryableError } from '#core/component'
import { admitJson, toJson } from '#core/data'
import { decodePayload, logs, metrics, tempDir, traces } from '#core/testing'
import { fileExporterWith, messagesOf } from './rig.test-support.ts'

test('every request becomes one line of OTLP/JSON, whatever its signal', async () => {
  await using dir = await tempDir()
  const path = dir.file('all.json')
  const payloads = [traces(2), metrics(2), logs(2)]
  {
    await using running = await fileExporterWith({ path })
    for (const payload of payloads) await running.exporter.consume(payload, NO_CONTEXT)
  }
  const lines = (await readFile(path, 'utf8')).split('\n')
  expect(lines.pop()).toBe('')
  const read = lines.map((line, i) => admitJson(payloads[i]!.signal, Buffer.from(line)).payload)
  expect(read.map(decodePayload)).toEqual(payloads.map(decodePayload))
})

test('a request that was answered is in the file', async () => {
  await using dir = await tempDir()
  const path = dir.file('x.json')
  await using running = await fileExporterWith({ path })
  await running.exporter.consume(traces(1), NO_CONTEXT)
  expect(await readFile(path, 'utf8')).toBe(`${toJson(traces(1))}\n`)
  expect(running.context.ledger.total('sent')).toBe(1)
  expect(running.context.meter.value('otelcol_exporter_sent_spans')).toBe(1)
})

test('proto keeps the bytes as they came, each message after its length', async () => {
  await using dir = await tempDir()
  const path = dir.file('x.binpb')
  const payloads = [traces(3), logs(1)]
  await using running = await fileExporterWith({ path, format: 'proto' })
  for (const payload of payloads) await running.exporter.consume(payload, NO_CONTEXT)
  expect([...messagesOf(await readFile(path))]).toEqual(payloads.map(payload => payload.flat()))
})

test.each(['json', 'proto'])('compressed %s has each message by itself after its length', async format => {
  await using dir = await tempDir()
  const path = dir.file('x.zst')
  await using running = await fileExporterWith({ path, format, compression: 'zstd' })
  for (let n = 1; n <= 2; n++) await running.exporter.consume(traces(n), NO_CONTEXT)
  const messages = [...messagesOf(await readFile(path))].map(message => zstdDecompressSync(message))
  const expected = [traces(1), traces(2)]
  if (format === 'proto') expect(messages).toEqual(expected.map(payload => payload.flat()))
  else expect(messages.map(String)).toEqual(expected.map(toJson))
})

test('records of many senders at once do not mix', async () => {
  await using dir = await tempDir()
  const path = dir.file('x.json')
  await using running = await fileExporterWith({ path })
  const sizes = Array.from({ length: 200 }, (_, i) => (i % 7) + 1)
  await Promise.all(sizes.map(n => running.exporter.consume(traces(n), NO_CONTEXT)))
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  expect(lines).toEqual(sizes.map(n => toJson(traces(n))))
})

test('starting empties the file, unless it is to be appended to', async () => {
  await using dir = await tempDir()
  const path = dir.file('x.json')
  for (const [written, expected] of [
    [{}, `${toJson(traces(1))}\n`],
    [{ append: true }, `old\n${toJson(traces(1))}\n`],
  ] as const) {
    await writeFile(path, 'old\n')
    await using running = await fileExporterWith({ path, ...written })
    await running.exporter.consume(traces(1), NO_CONTEXT)
    expect(await readFile(path, 'utf8')).toBe(expected)
  }
})

test('what was handed over before shutdown is written', async () => {
  await using dir = await tempDir()
  const path = dir.file('x.json')
  const running = await fileExporterWith({ path })
  const answers = [1, 2, 3].map(n => running.exporter.consume(traces(n), NO_CONTEXT))
  await running.exporter.shutdown?.()
  await Promise.all(answers)
  expect((await readFile(path, 'utf8')).match(/\n/g)?.length).toBe(3)
})

test('a full disk is a refusal that may be retried, and leaves no part of the record', async () => {
  await using running = await fileExporterWith({ path: '/dev/full', append: true })
  const refused = running.exporter.consume(traces(2), NO_CONTEXT)
  await expect(refused).rejects.toThrow('Cannot write to file /dev/full: ENOSPC')
  await expect(refused).rejects.toBeInstanceOf(RetryableError)
  expect(running.context.ledger.total('sent')).toBe(0)
})

test('a file that cannot be opened keeps the exporter from starting', async () => {
  await using dir = await tempDir()
  await expect(fileExporterWith({ path: dir.file('no', 'x.json') })).rejects.toThrow('ENOENT')
})

test('directories are created when asked for', async () => {
  await using dir = await tempDir()
  const path = dir.file('a', 'b', 'x.json')
  await using running = await fileExporterWith({ path, create_directory: true, directory_permissions: '0700' })
  await running.exporter.consume(logs(1), NO_CONTEXT)
  expect((await stat(dir.file('a', 'b'))).mode & 0o777).toBe(0o700)
})
