import { type Route, RouteError } from '#core/component'
import { exportRegistry } from '../registry/export-registry.ts'
import type { Selection } from '../registry/select-groups.ts'
import { FLAG, query, SIGNAL, TEXT } from './schemas.ts'
import type { View } from './view.ts'

/** The dictionary as a registry file. */
export function exportRoute(view: View): Route {
  const { stability, log_group_type, annotation_prefix } = view.config.export
  const options = { stability, logGroupType: log_group_type, annotationPrefix: annotation_prefix }
  return {
    method: 'GET',
    path: '/api/v1/export',
    summary: 'The dictionary as YAML for a semantic-convention registry',
    query: query({
      format: { ...TEXT, description: 'Must be `registry`.' },
      type: SIGNAL,
      prefix: { ...TEXT, description: 'Only names that begin with this.' },
      events: { ...FLAG, default: false, description: 'Groups of type `event` for named log events as well.' },
    }),
    responses: { 200: { description: 'A document with a list `groups`, sorted by id' } },
    handle({ query }) {
      const { format, ...selection } = query as Selection & { readonly format?: string }
      if (format !== 'registry') {
        const given = format === undefined ? 'none was given' : `not ${JSON.stringify(format)}`
        throw new RouteError(400, 'BAD_REQUEST', `Only format "registry" is supported, ${given}`)
      }
      const { dictionary, classifier } = view
      const source = { dictionary, verdict: classifier.verdict.bind(classifier) }
      return { headers: { 'content-type': 'text/yaml' }, body: exportRegistry(source, selection, options) }
    },
  }
}
