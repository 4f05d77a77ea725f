import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DeadLetter, FINISHED, OPEN, parseDeadLetter } from './entry.ts'

/** A file of dead letters. */
export interface DeadLetterFile {
  readonly path: string
  /** A collector is writing it now, or has been killed while it did. */
  readonly open: boolean
}

/** The files of a directory, oldest first within an exporter. */
export async function deadLetterFiles(directory: string): Promise<DeadLetterFile[]> {
  const names = (await readdir(directory)).sort()
  return names
    .filter(name => name.endsWith(FINISHED) || name.endsWith(OPEN))
    .map(name => ({ path: join(directory, name), open: name.endsWith(OPEN) }))
}

/** What a file holds; a line that is cut short or damaged is counted, not read. */
export async function readDeadLetters(path: string): Promise<{ entries: DeadLetter[]; damaged: number }> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter(line => line !== '')
  const entries = lines.map(parseDeadLetter).filter(entry => entry !== undefined)
  return { entries, damaged: lines.length - entries.length }
}

/** Replaces a file by what is left of it, or removes it when nothing is. */
export async function keepRest(path: string, rest: readonly DeadLetter[]): Promise<void> {
  if (rest.length === 0) return rm(path)
  const temporary = `${path}.rest`
  await writeFile(temporary, rest.map(entry => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 })
  await rename(temporary, path)
}
