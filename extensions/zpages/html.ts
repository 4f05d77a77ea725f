/** HTML that is safe to send; everything else put into {@link html} is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Part[]

/** A piece of HTML: what stands in `${}` is escaped unless it is {@link Html} itself; lists are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.map((part, i) => part + (i < values.length ? render(values[i]!) : '')).join(''))
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(render).join('')
  return String(part).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/** Rows under column heads. */
export function table(heads: readonly string[], rows: readonly (readonly Part[])[]): Html {
  if (rows.length === 0) return html`<p>None.</p>`
  return html`<table>
<thead><tr>${heads.map(head => html`<th>${head}</th>`)}</tr></thead>
<tbody>
${rows.map(row => html`<tr>${row.map(cell => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>`
}

const STYLE = new Html(`
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
nav a { margin-right: 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .35rem 1rem .35rem 0 }
th, td { text-align: left; vertical-align: top }
pre, code { font: 13px/1.45 ui-monospace, monospace }
pre { overflow-x: auto }
`)

const PAGES = ['servicez', 'pipelinez', 'extensionz', 'featurez', 'tracez']

/** A whole page. Nothing on it is loaded from anywhere, and there are no scripts. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body>
<nav>${PAGES.map(name => html`<a href="/debug/${name}">${name}</a>`)}</nav>
<h1>${title}</h1>
${body}
</body>
</html>
`.text
}
