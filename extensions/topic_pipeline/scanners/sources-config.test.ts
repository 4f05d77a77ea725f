import { expect, test } from 'vitest'
import { configure } from '#core/testing'
import { checkSources, sourcesConfig } from './sources-config.ts'

test('the defaults have no faults', () => {
  expect([...checkSources(configure(sourcesConfig))]).toEqual([])
})

test('every fault names its option', () => {
  const config = configure(sourcesConfig, {
    stackoverflow: { endpoint: 'api.stackexchange.com' },
    reddit: { subreddits: ['devops', 'r/golang'] },
    medium: { feeds: ['@ann', 'https://medium.com/feed/x', 'blog/tagged/otel'] },
    youtube: { channels: ['@ann'] },
    rss: { feeds: ['https://blog.example/feed', 'blog.example'] },
  })
  expect([...checkSources(config)]).toEqual([
    'stackoverflow::endpoint: must be a http or https URL, is api.stackexchange.com',
    'rss::feeds::1: must be a http or https URL, is blog.example',
    'reddit::subreddits::1: must be the name of a subreddit, is r/golang',
    'youtube::channels::0: must be the id of a channel, UC..., is @ann',
    'medium::feeds::1: must be @user, publication or publication/tagged/tag, is https://medium.com/feed/x',
  ])
})
