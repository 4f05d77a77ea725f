import type { PageTask } from '../reading.ts'

/** Does what the page says. */
export async function page(task: PageTask): Promise<unknown> {
  const order = Buffer.from(task.body).toString()
  if (order === 'forever') for (;;);
  if (order === 'memory') {
    const kept: object[] = []
    for (;;) kept.push({ at: kept.length, more: [kept.length] })
  }
  if (order === 'end') process.exit(3)
  return { value: { text: order, partial: false } }
}
