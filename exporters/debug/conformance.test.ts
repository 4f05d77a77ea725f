import { describeExporter } from '#core/testing'
import { debugExporter } from './index.ts'

describeExporter(debugExporter, { folder: import.meta.dirname })
