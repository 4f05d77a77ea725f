import { describeExporter } from '#core/testing'
import { memoryExporter } from './index.ts'

describeExporter(memoryExporter(), { folder: import.meta.dirname })
