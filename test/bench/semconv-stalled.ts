/**
 * The proxy's components with analysis workers that begin every task and end none: `runProcess` with a configuration on the
 * command line, as any distribution.
 */
import { runProcess } from '#core/service'
import { semconvProxy } from '../../distributions/semconv-proxy/index.ts'
import { createSemconvDictionary } from '../../processors/semconv_dictionary/create.ts'

const worker = new URL('../../processors/semconv_dictionary/testdata/stalled-worker.ts', import.meta.url)
await runProcess({ ...semconvProxy, processors: [createSemconvDictionary({ worker })] })
