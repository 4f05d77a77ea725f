import type { Clock, Host, Logger } from '#core/component'
import type { Classifier } from '../classification/classifier.ts'
import type { SemconvDictionaryConfig } from '../config.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { Keeper } from '../storage/keeper.ts'

/** What routes see of a learner. */
export interface View {
  readonly config: SemconvDictionaryConfig
  readonly dictionary: Dictionary
  readonly classifier: Classifier
  readonly snapshots: Snapshots
  readonly keeper: Keeper
  readonly clock: Clock
  readonly logger: Logger
  /** The host, while the component runs. */
  readonly host: Host | undefined
  /** Whether what was stored has been read. */
  readonly loaded: boolean
}
