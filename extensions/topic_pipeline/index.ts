import { defineExtension } from '#core/component'
import { checkTopicPipelineConfig, topicPipelineConfig } from './config.ts'
import { TopicPipeline } from './extension.ts'

/** Scans sources for topics, judges and groups them, serves a feed, and writes drafts in the user's own voice. */
export const topicPipelineExtension = defineExtension({
  type: 'topic_pipeline',
  description: 'Scans sources for topics, judges and groups them, serves a feed, and writes drafts in your own voice.',
  stability: 'alpha',
  config: topicPipelineConfig,
  check: checkTopicPipelineConfig,
  create: (config, context) => new TopicPipeline(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { topicPipelineExtension as topicPipeline }
