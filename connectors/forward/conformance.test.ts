import { describeConnector } from '#core/testing'
import { forwardConnector } from './index.ts'

describeConnector(forwardConnector, { folder: import.meta.dirname })
