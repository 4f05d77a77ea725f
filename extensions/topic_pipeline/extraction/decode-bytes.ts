import { TextDecoder } from 'node:util'

/**
 * Bytes of a document as text. A byte order mark counts most, then what the server says, then what the document says of
 * itself; without any of them UTF-8 when it is valid, else what most of the rest is. Bytes that mean nothing become
 * U+FFFD. Source: Encoding Standard §4.2, HTML §13.2.3.2.
 */
export function decodeBytes(bytes: Uint8Array, contentType = ''): string {
  const label = charsetOf(contentType) ?? declaredIn(bytes)
  const decoder = (byteOrderMark(bytes) ?? (label === undefined ? undefined : decoderFor(label))) || guessed(bytes)
  return decoder.decode(bytes)
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s;"']{1,40})/i.exec(contentType)?.[1]
}

function byteOrderMark(bytes: Uint8Array): TextDecoder | undefined {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder()
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  return undefined
}

/** In the first 1024 bytes, by `<meta>` or an XML declaration. Who can write it in ASCII is not in UTF-16. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1')
  const found =
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']{1,40})["']/i.exec(head) ??
    /<meta\s[^>]{0,300}?charset\s*=\s*["']?([^\s"'/>;]{1,40})/i.exec(head)
  const label = found?.[1]?.toLowerCase()
  return label?.startsWith('utf-16') ? 'utf-8' : label
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

function guessed(bytes: Uint8Array): TextDecoder {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return new TextDecoder()
  } catch {
    return new TextDecoder('windows-1252')
  }
}
