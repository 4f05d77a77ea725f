import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The certificates of the tests, all for `localhost`, 127.0.0.1 and ::1 unless said otherwise, each with its key.
 * `server` and `renewed`: signed by `ca`. `elsewhere`: by `ca`, for `elsewhere.example`. `foreign`: by `other-ca`.
 * `client`: for clients, by `ca`. `foreign-client`: for clients, by `other-ca`. `expired`: by `ca`, no longer valid.
 */
export type Certificate =
  | 'ca'
  | 'other-ca'
  | 'server'
  | 'renewed'
  | 'elsewhere'
  | 'foreign'
  | 'client'
  | 'foreign-client'
  | 'expired'

/** Paths of the PEM files, as the options `cert_file` and `key_file`. */
export function certificate(name: Certificate): { readonly cert_file: string; readonly key_file: string } {
  return { cert_file: file(`${name}.pem`), key_file: file(`${name}.key`) }
}

/** Path of an authority's PEM file, for `ca_file` and `client_ca_file`. */
export function authority(name: 'ca' | 'other-ca'): string {
  return file(`${name}.pem`)
}

/** Puts a certificate and its key under the names `cert.pem` and `key.pem` in `directory`; again, to renew it. */
export async function install(
  name: Certificate,
  directory: string,
): Promise<{ readonly cert_file: string; readonly key_file: string }> {
  const files = { cert_file: join(directory, 'cert.pem'), key_file: join(directory, 'key.pem') }
  await copyFile(file(`${name}.key`), files.key_file)
  await copyFile(file(`${name}.pem`), files.cert_file)
  return files
}

function file(name: string): string {
  return join(import.meta.dirname, 'testdata', name)
}
