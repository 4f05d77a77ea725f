import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compress, decompress, ENCODINGS, type Encoding } from './compression.ts'
import { DecompressionError } from './decompression-error.ts'

const COMPRESSING = ENCODINGS.filter(encoding => encoding !== 'none' && encoding !== 'identity')
const MIB = 1 << 20

/** Bytes that compress like telemetry: repeated words between random ones. */
const telemetry = fc
  .array(
    fc.oneof(
      fc.constantFrom('service.name', 'http.request.method', 'GET', '/api/v1/users', '\0\0\0\0').map(Buffer.from),
      fc.uint8Array({ maxLength: 24 }).map(bytes => Buffer.from(bytes)),
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 3 }), fc.nat(3000)).map(([b, n]) => Buffer.alloc(n, b)),
    ),
    { maxLength: 60 },
  )
  .map(parts => Buffer.concat(parts))

async function kindOf(run: () => Buffer | Promise<Buffer>): Promise<string> {
  try {
    return `${(await run()).length} bytes`
  } catch (error) {
    return error instanceof DecompressionError ? error.kind : String(error)
  }
}

describe.each(ENCODINGS)('%s', encoding => {
  test('gives back what was put in, however it was cut', async () => {
    await fc.assert(
      fc.asyncProperty(telemetry, fc.array(fc.nat(5000), { maxLength: 4 }), async (bytes, cuts) => {
        const edges = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
        const pieces = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end))
        const packed = await compress(pieces, encoding)
        expect((await decompress(packed, encoding, bytes.length)).equals(bytes)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('takes exactly the limit and not a byte more', async () => {
    for (const size of [1, 1000, 70_000, 300_000]) {
      const packed = await compress([Buffer.alloc(size, 'abcdefg')], encoding)
      expect(await kindOf(() => decompress(packed, encoding, size))).toBe(`${size} bytes`)
      expect(await kindOf(() => decompress(packed, encoding, size - 1))).toBe('too_large')
    }
  })
})

describe.each(COMPRESSING)('%s from outside', encoding => {
  test('is refused when it is cut short anywhere', async () => {
    const packed = await compress(
      [Buffer.from('telemetry and again telemetry and again telemetry'.repeat(9))],
      encoding,
    )
    for (let end = 0; end < packed.length; end++) {
      const got = await kindOf(() => decompress(packed.subarray(0, end), encoding, MIB))
      // A framed stream may end after any chunk; its identifier alone is an empty stream.
      if (encoding === 'x-snappy-framed' && end === 10) expect(got).toBe('0 bytes')
      else expect(got).toBe('malformed')
    }
  })

  test('never does anything but give bytes within the limit or say what is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(
        telemetry,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 }),
        async (bytes, damage) => {
          const packed = Buffer.from(await compress([bytes], encoding))
          for (const [at, value] of damage) packed[at % packed.length] = value
          const got = await kindOf(() => decompress(packed, encoding, 100_000))
          expect(got).toMatch(/^(\d+ bytes|malformed|too_large|unsupported)$/)
          if (got.endsWith('bytes')) expect(Number.parseInt(got, 10)).toBeLessThanOrEqual(100_000)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('of random bytes is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async bytes => {
        const got = await kindOf(() => decompress(Buffer.from(bytes), encoding, 1000))
        if (encoding === 'snappy') expect(got).not.toMatch(/Error/)
        else expect(got).toMatch(/^(malformed|too_large|unsupported)$/)
      }),
    )
  })

  test('that is empty is malformed', async () => {
    expect(await kindOf(() => decompress(Buffer.alloc(0), encoding, MIB))).toBe('malformed')
  })
})

test('what zlib wrote at any level is read, and zlib reads what we write', async () => {
  const raw = Buffer.from('service.name=checkout '.repeat(20_000))
  const pairs: [Encoding, Buffer, (bytes: Buffer) => Buffer][] = [
    ['gzip', zlib.gzipSync(raw, { level: 9 }), zlib.gunzipSync],
    ['deflate', zlib.deflateSync(raw, { level: 6 }), zlib.inflateSync],
    ['zlib', zlib.deflateSync(raw, { level: 0 }), zlib.inflateSync],
    ['zstd', zlib.zstdCompressSync(raw), zlib.zstdDecompressSync],
  ]
  for (const [encoding, theirs, read] of pairs) {
    expect((await decompress(theirs, encoding, MIB)).equals(raw)).toBe(true)
    for (const level of encoding === 'zstd' ? [1, 9] : [-2, -1, 1, 9]) {
      expect(read(await compress([raw], encoding, level)).equals(raw)).toBe(true)
    }
  }
})

describe('gzip', () => {
  test('of several members is their concatenation, whatever the hint of the last says', async () => {
    const parts = ['first ', 'second '.repeat(40_000), 'third'].map(text => Buffer.from(text))
    const packed = Buffer.concat(parts.map(part => zlib.gzipSync(part)))
    const whole = Buffer.concat(parts)
    expect((await decompress(packed, 'gzip', whole.length)).equals(whole)).toBe(true)
    expect(await kindOf(() => decompress(packed, 'gzip', whole.length - 1))).toBe('too_large')
  })

  test('with garbage behind it is malformed', async () => {
    const packed = Buffer.concat([zlib.gzipSync('telemetry'), Buffer.from('garbage')])
    expect(await kindOf(() => decompress(packed, 'gzip', MIB))).toBe('malformed')
  })

  test('that lies about its size is not trusted', async () => {
    for (const lie of [5, 70_000, 0xffff_ffff]) {
      const member = zlib.gzipSync(Buffer.alloc(500_000, 'x'))
      const packed = Buffer.concat([member, zlib.gzipSync('')])
      packed.writeUInt32LE(lie, packed.length - 4)
      expect(await kindOf(() => decompress(packed, 'gzip', MIB))).toBe('malformed')
    }
  })

  test('small in, small out, is handled on this thread; a bomb is handed over and stopped', async () => {
    expect(decompress(zlib.gzipSync('small'), 'gzip', MIB)).toBeInstanceOf(Buffer)
    const bomb = zlib.gzipSync(Buffer.alloc(64 * MIB))
    expect(await kindOf(() => decompress(bomb, 'gzip', 20 * MIB))).toBe('too_large')
  })
})

describe('zstd', () => {
  test('of several frames, skippable ones among them, is read to the end', async () => {
    const skippable = Buffer.concat([Buffer.from('502a4d1804000000', 'hex'), Buffer.from('skip')])
    const parts = [Buffer.alloc(10, 'a'), Buffer.alloc(400_000, 'b'), Buffer.alloc(3, 'c')]
    const frames = parts.map(part => zlib.zstdCompressSync(part))
    const packed = Buffer.concat([skippable, frames[0]!, frames[1]!, skippable, frames[2]!])
    const whole = Buffer.concat(parts)
    expect((await decompress(packed, 'zstd', whole.length)).equals(whole)).toBe(true)
    expect(await kindOf(() => decompress(packed, 'zstd', whole.length - 1))).toBe('too_large')
    expect(await kindOf(() => decompress(skippable, 'zstd', MIB))).toBe('0 bytes')
  })

  test('with garbage behind a frame is malformed', async () => {
    const packed = Buffer.concat([zlib.zstdCompressSync('telemetry'), Buffer.from('garbage')])
    expect(await kindOf(() => decompress(packed, 'zstd', MIB))).toBe('malformed')
  })

  test('of a thousand and one frames is refused', async () => {
    const frame = zlib.zstdCompressSync('x')
    expect(await kindOf(() => decompress(Buffer.concat(Array(1000).fill(frame)), 'zstd', MIB))).toBe('1000 bytes')
    expect(await kindOf(() => decompress(Buffer.concat(Array(1001).fill(frame)), 'zstd', MIB))).toBe('malformed')
  })

  test('that wants a window above 8 MiB is refused', async () => {
    const params = { [zlib.constants.ZSTD_c_windowLog]: 27, [zlib.constants.ZSTD_c_contentSizeFlag]: 0 }
    const stream = zlib.createZstdCompress({ params })
    const chunks: Buffer[] = []
    stream.on('data', chunk => chunks.push(chunk))
    const ended = new Promise(resolve => stream.on('end', resolve))
    stream.write(Buffer.alloc(1000, 'w'))
    stream.end(Buffer.alloc(1000, 'w'))
    await ended
    expect(await kindOf(() => decompress(Buffer.concat(chunks), 'zstd', MIB))).toBe('malformed')
  })
})

test('snappy is read in the block and in the framed format', async () => {
  const raw = Buffer.from('telemetry '.repeat(20_000))
  for (const form of ['snappy', 'x-snappy-framed'] as const) {
    expect((await decompress(await compress([raw], form), 'snappy', MIB)).equals(raw)).toBe(true)
  }
})

test('an encoding that nobody knows is unsupported', async () => {
  expect(await kindOf(async () => decompress(Buffer.from('x'), 'br', MIB))).toBe('unsupported')
  expect(() => decompress(Buffer.from('x'), 'br', MIB)).toThrow('unsupported Content-Encoding: br')
})

test('many large bodies at once all come out', async () => {
  const raw = Buffer.alloc(400_000, 'many large bodies ')
  const packed = await compress([raw], 'gzip')
  const all = await Promise.all(Array.from({ length: 40 }, () => decompress(packed, 'gzip', MIB)))
  expect(all.every(bytes => bytes.equals(raw))).toBe(true)
})
