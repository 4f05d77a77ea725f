/** What stands for every secret in all output. */
export const REDACTED = '[REDACTED]'

/** The text without what is secret in URLs: passwords before the host and keys among the parameters. */
export function redactUrls(text: string): string {
  return text
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(BARE_PASSWORD, `$1:${REDACTED}@`)
    .replace(PARAMETER, `$1${REDACTED}`)
}

const USER_INFO = /([a-z][a-z\d+.-]*:\/\/)[^\s/?#"']*@/gi
/** `user:password@host` without a scheme, as in data source names. */
const BARE_PASSWORD = /(?<![^\s"'])([^\s"'/:@[\]]+):[^\s"'/@]+@/g
const PARAMETER = /([?&][^=&\s]*(?:key|token|secret|sig|signature|passw(?:or)?d|auth)=)[^&\s"'#]*/gi

/** Whether a value under this name is likely to be a secret, whoever declared it. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL.test(name) && !HARMLESS.test(name)
}

const CREDENTIAL =
  /passw|passphrase|secret|token|cookie|credential|authoriz|bearer|(?:^|[-_.])(?:auth|pwd)$|api[-_]?key|(?:access|account|ingest(?:ion)?|license|private|shared|signing|signature|subscription|instrumentation)[-_]?key|x-honeycomb-team|dsn$|connection[-_]?string/i
const HARMLESS = /(?:file|path|filename|url|uri|endpoint|env|header|name|count|size|limit|ttl|type|id|keys)$/i
