/** Everything that comes in, until the end or `signal` is aborted. */
export async function readAll(stream: NodeJS.ReadableStream, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    signal.throwIfAborted()
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  }
  return Buffer.concat(chunks)
}
