import type { BuildInfo, ComponentOverview, Overview } from '#core/component'
import { formatDuration } from '#core/config'
import { type Html, html, page, table } from './html.ts'

/** What is known about how a component is: by `kind:id`. */
export type StatusTexts = ReadonlyMap<string, string>

/** `/debug/servicez`: the program and how long it has run. `now` in milliseconds since the Unix epoch. */
export function servicePage(overview: Overview, build: BuildInfo, now: number): string {
  const rows = [
    ['Command', build.command],
    ['Description', build.description],
    ['Version', build.version],
    ['Started', new Date(overview.startTime).toISOString()],
    ['Uptime', formatDuration(Math.floor((now - overview.startTime) / 1000) * 1000)],
    ['Node.js', process.version],
    ['OS', `${process.platform}/${process.arch}`],
    ['Process', process.pid],
  ] as const
  const { pipelines, extensions, featureGates } = overview
  const links = html`<ul>
<li><a href="/debug/pipelinez">Pipelines</a>: ${pipelines.length}</li>
<li><a href="/debug/extensionz">Extensions</a>: ${extensions.length}</li>
<li><a href="/debug/featurez">Features</a>: ${featureGates.filter(({ enabled }) => enabled).length} on</li>
</ul>`
  return page('Service', html`${table(['Property', 'Value'], rows)}${links}`)
}

/** `/debug/pipelinez`: what leads where; a component's configuration when `query` names one. */
export function pipelinePage(overview: Overview, statuses: StatusTexts, query: URLSearchParams): string {
  const rows = overview.pipelines.map(({ id, signal, receivers, processors, exporters }) => [
    id,
    signal,
    receivers.map(each => html`${linkTo(each, id)}<br>`),
    [html`→ `, ...processors.map(each => html`${linkTo(each, id)} → `)],
    exporters.map(each => html`${linkTo(each, id)}<br>`),
  ])
  const heads = ['Pipeline', 'Signal', 'Receivers', 'Processors', 'Exporters']
  const kind = query.get('zcomponentkind')
  const [name, pipeline] = [query.get('zcomponentname'), query.get('zpipelinename')]
  const chosen = overview.pipelines
    .filter(({ id }) => id === pipeline)
    .flatMap(({ receivers, processors, exporters }) => [...receivers, ...processors, ...exporters])
    .find(each => each.id === name && each.kind === kind)
  return page('Pipelines', html`${table(heads, rows)}${chosen === undefined ? '' : details(chosen, statuses)}`)
}

/** `/debug/extensionz`: the extensions in start order; one's configuration when `query` names it. */
export function extensionPage(overview: Overview, statuses: StatusTexts, query: URLSearchParams): string {
  const rows = overview.extensions.map(({ id, kind }) => [
    html`<a href="?zextensionname=${encodeURIComponent(id)}">${id}</a>`,
    statuses.get(`${kind}:${id}`) ?? '',
  ])
  const chosen = overview.extensions.find(({ id }) => id === query.get('zextensionname'))
  const body = html`${table(['Extension', 'Status'], rows)}${chosen === undefined ? '' : details(chosen, statuses)}`
  return page('Extensions', body)
}

/** `/debug/featurez`: the feature gates. */
export function featurePage(overview: Overview): string {
  const rows = overview.featureGates.map(({ id, enabled, stage, description }) => [
    id,
    String(enabled),
    stage,
    description,
  ])
  return page('Features', table(['ID', 'Enabled', 'Stage', 'Description'], rows))
}

function linkTo({ kind, id }: ComponentOverview, pipeline: string): Html {
  const query = new URLSearchParams({ zpipelinename: pipeline, zcomponentname: id, zcomponentkind: kind })
  return html`<a href="?${query.toString()}">${id}</a>${kind === 'connector' ? ' (connector)' : ''}`
}

function details({ kind, id, config }: ComponentOverview, statuses: StatusTexts): Html {
  const status = statuses.get(`${kind}:${id}`)
  return html`<h2>${kind} ${id}</h2>
${status === undefined ? '' : html`<p>Status: ${status}</p>`}
<pre>${config}</pre>`
}
