import type { Fragment, PageTask } from '../reading.ts'
import { serveTasks } from '../serve-tasks.ts'

serveTasks({ page, fragments })

/** Does what the page says. */
function page(task: PageTask): unknown {
  const order = Buffer.from(task.body).toString()
  if (order === 'forever') for (;;);
  if (order === 'memory') {
    const kept: object[] = []
    for (;;) kept.push({ at: kept.length, more: [kept.length] })
  }
  if (order === 'strings') {
    let text = 'x'
    const kept: string[] = []
    for (;;) kept.push(`${(text += text.slice(0, 1 << 20))}`.toUpperCase())
  }
  if (order === 'end') process.exit(3)
  if (order === 'environment') return { value: { text: Object.keys(process.env).join(), partial: false } }
  return { value: { text: order, partial: false } }
}

function fragments(pieces: readonly Fragment[]): unknown {
  if (pieces.some(({ html }) => html === 'forever')) for (;;);
  return { value: pieces.map(({ html }) => html) }
}
