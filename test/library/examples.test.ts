import { test } from 'vitest'
import { tryFastifyService } from './examples/try-fastify-service.ts'
import { tryServerlessHandler } from './examples/try-serverless-handler.ts'

test('a service ships its own spans, and all of them when it closes', tryFastifyService)

test('a function returns once what it told has arrived', () => tryServerlessHandler(process.env))
