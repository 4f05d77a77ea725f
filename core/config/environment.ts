/** Variables by name; `undefined` means not set. */
export type Environment = { readonly [name: string]: string | undefined }

/** The environment of this process. The only place that reads it: everything else is given its variables. */
export function processEnvironment(): Environment {
  return process.env
}
