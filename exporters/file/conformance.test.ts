import { join } from 'node:path'
import { describeExporter } from '#core/testing'
import { fileExporter } from './index.ts'

describeExporter(fileExporter, { folder: import.meta.dirname, written: dir => ({ path: join(dir, 'out.json') }) })
