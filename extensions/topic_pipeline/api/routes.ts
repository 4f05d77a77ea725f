import type { Route } from '#core/component'
import { categoryRoutes } from './category-routes.ts'
import { contentRoutes } from './content-routes.ts'
import { generateRoutes } from './generate-routes.ts'
import { pipelineRoutes } from './pipeline-routes.ts'
import type { TopicService } from './service.ts'
import { topicRoutes } from './topic-routes.ts'

/** Everything the topic pipeline offers on the `api` extension. */
export function routesOf(service: TopicService): readonly Route[] {
  return [
    ...topicRoutes(service),
    ...categoryRoutes(service),
    ...contentRoutes(service),
    ...generateRoutes(service),
    ...pipelineRoutes(service),
  ]
}
