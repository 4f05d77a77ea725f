import { expect, test } from 'vitest'
import { decodeBytes } from './decode-bytes.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

test.each<[string, Uint8Array, string, string]>([
  ['UTF-8 without a word', Buffer.from('Grüße 😀'), '', 'Grüße 😀'],
  ['what the server says', latin1('Grüße'), 'text/html; charset=ISO-8859-1', 'Grüße'],
  ['what the server says, in quotes', latin1('Grüße'), 'text/html; charset="windows-1252"', 'Grüße'],
  ['what the page says', latin1('<meta charset=latin1>Grüße'), 'text/html', '<meta charset=latin1>Grüße'],
  [
    'what an old page says',
    latin1('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">ü'),
    '',
    '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">ü',
  ],
  [
    'what XML says',
    latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>'),
    '',
    '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>',
  ],
  ['Shift JIS', Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'text/html; charset=shift_jis', 'テスト'],
  ['a byte order mark before all', Buffer.from('\ufeffGrüße'), 'text/html; charset=latin1', 'Grüße'],
  ['UTF-16 by its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('Grüße')]), '', 'Grüße'],
  ['UTF-16 big-endian by its mark', Buffer.concat([Buffer.from([0xfe, 0xff]), utf16('Gr').swap16()]), '', 'Gr'],
  ['UTF-16 in a meta, which cannot be', Buffer.from('<meta charset="utf-16">ü'), '', '<meta charset="utf-16">ü'],
  ['neither valid nor named', latin1('Grüße'), '', 'Grüße'],
  ['an unknown name', Buffer.from('Grüße'), 'text/html; charset=klingon', 'Grüße'],
  ['invalid bytes', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'text/html; charset=utf-8', 'a\ufffd\ufffdb'],
  ['cut off in a character', Buffer.from('ü').subarray(0, 1), 'text/html; charset=utf-8', '\ufffd'],
  ['nothing', new Uint8Array(), '', ''],
])('%s', (_, bytes, contentType, text) => {
  expect(decodeBytes(bytes, contentType)).toBe(text)
})
