import { describe, expect, test } from 'vitest'
import { crc32c } from './crc32c.ts'
import { lz4Decompress } from './lz4.ts'
import { snappyDecompress } from './snappy.ts'
import { snappyFrame, snappyUnframe } from './snappy-framed.ts'
import { xxhash32 } from './xxhash32.ts'

const TEXT = 'telemetry telemetry telemetry, collected and collected again: 0123456789 0123456789'.repeat(3)

test('a snappy block of the reference implementation is read', () => {
  const block = '+QEkdGVsZW1ldHJ5IEoKADgsIGNvbGxlY3RlZCBhbmQuDgA8Z2FpbjogMDEyMzQ1Njc4OR0LSkkAACAVFP5TAP5TABVT'
  expect(snappyDecompress(Buffer.from(block, 'base64'), 249).toString()).toBe(TEXT)
})

test.each([
  ['nothing', ''],
  ['a length without end', 'ffffffffffff'],
  ['a length that the rest cannot fill', 'ffff7f00'],
  ['a literal beyond the end', '05f0'],
  ['a copy from before the beginning', '05010500'],
  ['a copy of offset zero', '060461620100'],
  ['a copy beyond the length told', '0404616209 02'.replace(' ', '')],
  ['less than the length told', '0a0461 62'.replace(' ', '')],
])('a snappy block with %s is malformed', (_, hex) => {
  expect(() => snappyDecompress(Buffer.from(hex, 'hex'), 1 << 22)).toThrow('Body is not valid snappy')
})

test('a copy with a four-byte offset is read', () => {
  expect(snappyDecompress(Buffer.from('080c61626364' + '0f' + '04000000', 'hex'), 8).toString()).toBe('abcdabcd')
})

describe('framed snappy', () => {
  const framed = snappyFrame(Buffer.from('telemetry'))

  test('begins with the identifier and carries the masked checksum of the specification', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
    const chunk = `010d0000e5b08ac7${Buffer.from('123456789').toString('hex')}`
    expect(snappyFrame(Buffer.from('123456789')).toString('hex')).toBe(`ff060000734e61507059${chunk}`)
  })

  test('skips padding and repeated identifiers', () => {
    const padding = Buffer.from('fe0300006162 63'.replace(' ', ''), 'hex')
    const twice = Buffer.concat([framed, padding, framed])
    expect(snappyUnframe(twice, 100).toString()).toBe('telemetrytelemetry')
  })

  test('with a flipped bit does not pass its checksum', () => {
    const damaged = Buffer.from(framed)
    damaged[20]! ^= 1
    expect(() => snappyUnframe(damaged, 100)).toThrow('a checksum does not match')
  })

  test('with a chunk type that may not be skipped is refused', () => {
    expect(() => snappyUnframe(Buffer.concat([framed, Buffer.from('02000000', 'hex')]), 100)).toThrow(
      'chunk type 2 is not known',
    )
  })
})

describe('lz4', () => {
  const frames = {
    plain:
      'BCJNGGRAp0YAAACvdGVsZW1ldHJ5IAoAAPgALCBjb2xsZWN0ZWQgYW5kDgD3AWdhaW46IDAxMjM0NTY3ODkLAA9JAAAGXQAPUwBxUDU2Nzg5AAAAAKDEL+g=',
    'with block checksums':
      'BCJNGHRAvUYAAACvdGVsZW1ldHJ5IAoAAPgALCBjb2xsZWN0ZWQgYW5kDgD3AWdhaW46IDAxMjM0NTY3ODkLAA9JAAAGXQAPUwBxUDU2Nzg5+94TMQAAAACgxC/o',
  }
  test.each(Object.entries(frames))('a frame of the reference implementation is read: %s', (_, base64) => {
    expect(lz4Decompress(Buffer.from(base64, 'base64'), 249).toString()).toBe(TEXT)
  })

  test('blocks that refer to those before them are read', () => {
    const frame = Buffer.from(
      'BCJNGERAXhQBAACvYWJjZGVmZ2hpagoA/////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////95QYmNkZWYKAQAAD/r//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////+hQaGlqYWI2AAAAr2NkZWZnaGlqYWIKAP/////////////////////////////////////////////gUGZnaGlqAAAAAHMHrhY=',
      'base64',
    )
    expect(lz4Decompress(frame, 140_000).toString()).toBe('abcdefghij'.repeat(14_000))
  })

  test('several frames, skippable ones among them, are read', () => {
    const frame = Buffer.from(frames.plain, 'base64')
    const skippable = Buffer.from('5f2a4d1803000000616263', 'hex')
    expect(lz4Decompress(Buffer.concat([frame, skippable, frame]), 498).toString()).toBe(TEXT + TEXT)
  })

  test('a frame with a dictionary is unsupported', () => {
    expect(() => lz4Decompress(Buffer.from('04224d18654000000000000000', 'hex'), 100)).toThrow('dictionary')
  })

  test('a flipped bit in the content does not pass its checksum', () => {
    const frame = Buffer.from(frames.plain, 'base64')
    frame[20]! ^= 1
    expect(() => lz4Decompress(frame, 1000)).toThrow('the content checksum does not match')
  })
})

test.each([
  ['', 0x02cc5d05],
  ['a', 0x550d7456],
  ['abc', 0x32d153ff],
  ['Nobody inspects the spammish repetition', 0xe2293b2f],
])('xxhash32 of %j', (text, hash) => {
  expect(xxhash32(Buffer.from(text))).toBe(hash)
})
