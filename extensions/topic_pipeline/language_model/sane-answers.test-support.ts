import { createHash } from 'node:crypto'

interface Node {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly minimum?: number
  readonly maximum?: number
}

/** A value of the schema that is a function of the prompt. */
export function saneJson(schema: object, prompt: string): unknown {
  return sample(schema as Node, prompt, '')
}

/** A text that is a function of the prompt, cites every marker in it, and has what each of the four formats promises. */
export function saneText(prompt: string): string {
  const markers = [...new Set(prompt.match(/\bS\d+\b/g) ?? [])]
  const digest = hash(prompt, 'text').toString(16)
  return [
    `# A sane answer ${digest}`,
    'What is this about? An opening that says it in a sentence.',
    '## What there is to know',
    '[VISUAL] A diagram',
    ...markers.map(marker => `- Something that a source tells [${marker}]`),
    '```\nexample()\n```',
    '## Key takeaways',
    '- One thing to remember',
    '## Conclusion',
    'Tell me in a comment: what do you think?',
    '#Sane #Answer',
  ].join('\n\n')
}

function sample(node: Node, prompt: string, path: string): unknown {
  const number = hash(prompt, path)
  if (node.enum !== undefined) return node.enum[number % node.enum.length]
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([name, child]) => [name, sample(child, prompt, `${path}/${name}`)]),
      )
    case 'array':
      return [0, 1, 2].map(i => sample(node.items ?? { type: 'string' }, prompt, `${path}/${i}`))
    case 'boolean':
      return number % 2 === 0
    case 'integer':
      return Math.round(graded(node, number))
    case 'number':
      return graded(node, number)
    default:
      return `word${number.toString(16)}`
  }
}

/** In the upper quarter of the range, which the description tells where the schema does not: `0 to 4`. */
function graded({ minimum, maximum, description = '' }: Node, number: number): number {
  const told = /(\d+) to (\d+)/.exec(description)
  const [least, most] = [minimum ?? Number(told?.[1] ?? 0), maximum ?? Number(told?.[2] ?? 1)]
  return least + (0.75 + (number % 1000) / 4000) * (most - least)
}

function hash(prompt: string, path: string): number {
  return createHash('sha256').update(`${path}\n${prompt}`).digest().readUInt32BE(0)
}
