/**
 * The thread that watches the main one. It looks at a number that the main thread counts up; when that stands still, it
 * stops the main thread for a moment, as a debugger does, to see what it is doing. It costs the main thread nothing as
 * long as all is well.
 * @module
 */
import { writeSync } from 'node:fs'
import { type Debugger, Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import type { Blocked, WatchdogData } from './blocked.ts'

const { beat, interval, limit, alarm } = workerData as WatchdogData
const STDERR = 2

let last = beat[0]
let standing = 0
let stack: readonly string[] = []
let looked = false
let spoken = false

setInterval(() => {
  const now = Atomics.load(beat, 0)
  if (now !== last) {
    if (standing >= limit) tell()
    last = now
    standing = 0
    return
  }
  // Counted in looks: a machine that sleeps stops both threads.
  standing += interval
  if (standing >= limit && !looked) {
    looked = true
    void look()
  }
  if (standing >= alarm && !spoken) {
    spoken = true
    const where = stack[0] === undefined ? '' : ` ${stack[0].trim()}`
    writeSync(STDERR, `Error: the event loop has been blocked for ${standing / 1000} s${where}\n`)
  }
}, interval)

function tell(): void {
  const report: Blocked = { ms: standing, stack }
  parentPort?.postMessage(report)
  stack = []
  spoken = false
  looked = false
}

async function look(): Promise<void> {
  const session = new Session()
  try {
    session.connectToMainThread()
    const scripts = new Map<string, string>()
    session.on('Debugger.scriptParsed', ({ params }) => void scripts.set(params.scriptId, params.url))
    const paused = new Promise<readonly Debugger.CallFrame[]>(resolve => {
      session.on('Debugger.paused', ({ params }) => resolve(params.callFrames))
    })
    await post(session, 'Debugger.enable')
    await post(session, 'Debugger.pause')
    const frames = await paused
    // What runs now is to blame only if the loop has stood still until now.
    if (Atomics.load(beat, 0) === last) stack = frames.map(frame => line(frame, scripts))
    await post(session, 'Debugger.resume')
    await post(session, 'Debugger.disable')
  } catch {
    // Another debugger has it: then only how long is told.
  } finally {
    session.disconnect()
  }
}

function post(session: Session, method: string): Promise<void> {
  return new Promise((resolve, reject) => session.post(method, error => (error === null ? resolve() : reject(error))))
}

function line({ functionName, location }: Debugger.CallFrame, scripts: ReadonlyMap<string, string>): string {
  const { scriptId, lineNumber, columnNumber = 0 } = location
  // Without what tells several loadings of one file apart.
  const file = (scripts.get(scriptId) ?? 'unknown').replace(/\?millrace-component=\d+$/, '')
  const place = `${file}:${lineNumber + 1}:${columnNumber + 1}`
  return functionName === '' ? `    at ${place}` : `    at ${functionName} (${place})`
}
