/** A growing list of triples of 32-bit integers. */
export class Triples {
  #numbers = new Int32Array(3 * 256)
  #used = 0

  push(a: number, b: number, c: number): void {
    if (this.#used + 3 > this.#numbers.length) {
      const grown = new Int32Array(this.#numbers.length * 2)
      grown.set(this.#numbers)
      this.#numbers = grown
    }
    this.#numbers[this.#used++] = a
    this.#numbers[this.#used++] = b
    this.#numbers[this.#used++] = c
  }

  /** A copy of all, after which the list is empty. */
  take(): Int32Array<ArrayBuffer> {
    const taken = this.#numbers.slice(0, this.#used)
    this.#used = 0
    return taken
  }
}
