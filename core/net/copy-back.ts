/** Copies `size` bytes from `offset` back; source and destination may overlap, which repeats a pattern. */
export function copyBack(output: Buffer, to: number, offset: number, size: number): void {
  if (offset >= size && size > 16) {
    output.copyWithin(to, to - offset, to - offset + size)
    return
  }
  for (let end = to + size; to < end; to++) output[to] = output[to - offset]!
}
