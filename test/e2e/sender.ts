/** Senders and askers that are not ours. */
import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import * as grpc from '@grpc/grpc-js'
import { encodeOtlp } from '#core/testing'

export const PROTOCOLS = ['grpc', 'http'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** PEM files of a client's side of TLS. */
export interface ClientFiles {
  readonly ca_file: string
  readonly cert_file?: string
  readonly key_file?: string
}

export interface Request {
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Plaintext without it. */
  readonly tls?: ClientFiles
}

/** gRPC code or HTTP status, and the sentence beside it; `status` is -1 when there was no answer over HTTP. */
export interface Answer {
  readonly status: number
  readonly message: string
  /** `WWW-Authenticate` of an answer over HTTP. */
  readonly challenge?: string | undefined
}

const TRACES = encodeOtlp('traces', { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'a' }] }] }] })
const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

/** Sends a span to an otlp receiver at `127.0.0.1:port`. */
export function send(protocol: Protocol, address: string, request: Request = {}): Promise<Answer> {
  return protocol === 'grpc' ? call(address, request) : ask(`http://${address}/v1/traces`, request, TRACES)
}

function call(address: string, { headers = {}, tls }: Request): Promise<Answer> {
  const credentials =
    tls === undefined
      ? grpc.credentials.createInsecure()
      : grpc.credentials.createSsl(readFileSync(tls.ca_file), keyOf(tls), certificateOf(tls))
  const client = new grpc.Client(address, credentials)
  const metadata = new grpc.Metadata()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  const same = (bytes: Buffer) => bytes
  return new Promise(resolve => {
    client.makeUnaryRequest(EXPORT, same, same, TRACES, metadata, { deadline: Date.now() + 15_000 }, error => {
      client.close()
      resolve(error === null ? { status: 0, message: '' } : { status: error.code, message: error.details })
    })
  })
}

/** Gets a page, or posts `body` to it; `http:` becomes `https:` with TLS. */
export function ask(url: string, { headers = {}, tls }: Request = {}, body?: Buffer): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/x-protobuf' }
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...type, ...headers },
    agent: false,
  } as const
  return new Promise(resolve => {
    const request =
      tls === undefined
        ? http.request(url, options)
        : https.request(url.replace('http:', 'https:'), {
            ...options,
            ca: readFileSync(tls.ca_file),
            ...(tls.cert_file === undefined ? {} : { cert: certificateOf(tls)!, key: keyOf(tls)! }),
          })
    request.on('error', error =>
      resolve({ status: -1, message: (error as NodeJS.ErrnoException).code ?? error.message }),
    )
    request.on('response', response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', error => resolve({ status: -1, message: error.message }))
      response.on('end', () => {
        const challenge = response.headers['www-authenticate']
        resolve({ status: response.statusCode!, message: Buffer.concat(chunks).toString(), challenge })
      })
    })
    request.end(body)
  })
}

function certificateOf({ cert_file: file }: ClientFiles): Buffer | null {
  return file === undefined ? null : readFileSync(file)
}

function keyOf({ key_file: file }: ClientFiles): Buffer | null {
  return file === undefined ? null : readFileSync(file)
}
