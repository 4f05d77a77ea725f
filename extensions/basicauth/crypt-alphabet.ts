const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Three bytes, the first the most significant, as `characters` characters of crypt's base 64, lowest bits first. */
function encodeThree(first: number, second: number, third: number, characters: number): string {
  let bits = (first << 16) | (second << 8) | third
  let text = ''
  for (let i = 0; i < characters; i++) {
    text += ALPHABET[bits & 63]
    bits >>>= 6
  }
  return text
}

/** A digest in crypt's base 64. `order` names its bytes three by three; a group of one or two comes last. */
export function encodeCrypt(digest: Buffer, order: readonly (readonly number[])[]): string {
  return order
    .map(group => {
      const [a, b, c] = [0, 0, 0, ...group.map(at => digest[at]!)].slice(-3)
      return encodeThree(a!, b!, c!, group.length + 1)
    })
    .join('')
}
