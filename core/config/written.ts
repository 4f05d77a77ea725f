/**
 * What a program writes for options: the types behind `Written`. They follow the same declarations as the values that
 * components receive, so that an editor completes a configuration and the compiler finds its faults.
 * @module
 */

type Unit = 'ns' | 'us' | 'µs' | 'ms' | 's' | 'm' | 'h'

/** A span of time as it is written: `200ms`, `1.5h`, `1m30s`. A text that the compiler cannot see through is cast. */
export type Duration =
  | '0'
  | `${number}${Unit}`
  | `${number}h${number}m`
  | `${number}h${number}m${number}s`
  | `${number}m${number}s`
  | `${number}s${number}ms`

/** A size as it is written: a number of bytes, or `64KiB`, `4MiB`, `1.5GB`. */
export type Bytes = number | `${number}${'B' | 'KiB' | 'MiB' | 'GiB' | 'TiB' | 'kB' | 'KB' | 'MB' | 'GB' | 'TB'}`

/** A value that comes from elsewhere: `${env:PORT}`, `${file:/run/secret}`. */
export type Reference = `$\{${string}}`

/** Headers as a map, or as a list that keeps an order. */
export type WrittenHeaders =
  | { readonly [name: string]: string }
  | readonly { readonly name: string; readonly value: string }[]

/** `V`, or nothing where the declaration has a default `D`. */
export type Or<V, D> = [D] extends [undefined] ? V : V | undefined

/** A section that `enabled: false` switches off. */
export type Switched<W> = (Exclude<W, undefined> & { readonly enabled?: boolean | Reference | undefined }) | undefined
