import { tryFastifyService } from './try-fastify-service.ts'
import { tryServerlessHandler } from './try-serverless-handler.ts'

await tryFastifyService()
await tryServerlessHandler(process.env)
console.log('both examples run')
