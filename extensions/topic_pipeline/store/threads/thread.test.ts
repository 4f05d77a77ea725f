import { describe, expect, it } from 'vitest'
import { Thread, ThreadError } from './thread.ts'

describe('Thread', () => {
  it('answers calls in their order', async () => {
    await using rig = open('call => call * 2')
    expect(await Promise.all([1, 2, 3].map(n => rig.thread.call(n)))).toEqual([2, 4, 6])
  })

  it('passes on why a call was refused', async () => {
    await using rig = open('() => { throw Object.assign(new Error("UNIQUE constraint failed"), { errcode: 2067 }) }')
    await expect(rig.thread.call(1)).rejects.toThrow(new ThreadError('UNIQUE constraint failed', 2067))
    await expect(rig.thread.call(1)).rejects.toMatchObject({ code: 2067 })
  })

  it('refuses all calls once it has broken down', async () => {
    await using rig = open('() => process.exit(3)')
    const message = 'The database thread ended with code 3'
    await expect(Promise.all([rig.thread.call(1), rig.thread.call(2)])).rejects.toThrow(message)
    await expect(rig.thread.call(3)).rejects.toThrow(message)
  })

  it('refuses open and new calls once it is closed', async () => {
    await using rig = open('() => { for (;;); }')
    const refused = expect(rig.thread.call(1)).rejects.toThrow('The database is closed')
    await rig.thread.close()
    await refused
    await expect(rig.thread.call(2)).rejects.toThrow('The database is closed')
  })

  it('takes in one answer at a turn of the event loop', async () => {
    await using rig = open('call => call')
    await rig.thread.call(0)
    const turns: number[] = []
    let turn = 0
    const count = () => {
      turn++
      if (turns.length < 50) setImmediate(count)
    }
    setImmediate(count)
    await Promise.all(Array.from({ length: 50 }, (_, i) => rig.thread.call(i).then(() => turns.push(turn))))
    expect(new Set(turns).size).toBe(50)
  })
})

/** A thread that answers with `answer`, JavaScript. */
function open(answer: string) {
  const serve = new URL('serve.ts', import.meta.url).href
  const code = `import { serve } from '${serve}'; serve(${answer})`
  const thread = new Thread<number, number>(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {})
  return { thread, [Symbol.asyncDispose]: () => thread.close() }
}
