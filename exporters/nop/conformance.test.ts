import { describeExporter } from '#core/testing'
import { nopExporter } from './index.ts'

describeExporter(nopExporter, { folder: import.meta.dirname })
