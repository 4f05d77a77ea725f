// A component of the package passes the suites of the package.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { batch } from 'millrace/processors/batch'
import { describeProcessor } from 'millrace/testing/conformance'

const door = createRequire(import.meta.url).resolve('millrace/processors/batch')
describeProcessor(batch, { folder: dirname(door) })
