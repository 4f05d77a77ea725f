/** 32-bit floats, little endian, as both databases keep them. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** The reverse of {@link bytesOf}; a copy, because views of floats must be aligned. */
export function vectorOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
