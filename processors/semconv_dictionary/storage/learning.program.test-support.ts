/**
 * Learns new names without end and stores them, until somebody kills it. Prints how many names it found stored, then after
 * each save how many names are safe. Its argument is the directory of the store.
 */
import { ComponentId, systemClock } from '#core/component'
import { aLog, configure, logsOf, payloadOf, TestHost, testContext } from '#core/testing'
import { fileStorageConfig } from '../../../extensions/file_storage/config.ts'
import { FileStorage } from '../../../extensions/file_storage/extension.ts'
import { Observer } from '../analysis/observer.ts'
import { walk } from '../analysis/walk.ts'
import { Dictionary } from '../dictionary/dictionary.ts'
import { Keeper } from './keeper.ts'

const context = testContext({ id: 'file_storage', kind: 'extension', clock: systemClock })
const storage = new FileStorage(configure(fileStorageConfig, { directory: process.argv[2]! }), context)
await storage.start()
const ages = { staleAfter: 1e9, purgeAfter: 1e9 }
const dictionary = new Dictionary({ shards: 4, budget: 1e6, perAttributeCap: 100, clock: systemClock, ...ages })
const keeper = new Keeper(context.logger, systemClock)
await keeper.open(new TestHost({ storage }), 'storage', ComponentId.parse('semconv_dictionary'), dictionary)
const names = [...dictionary.entries()].filter(entry => entry.sketch.cardinality === 1).length
console.log(JSON.stringify({ stored: names, state: keeper.state }))
const observer = new Observer(1)
for (let next = names; ; next += 5) {
  const attributes = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`name.${next + i}`, 'x']))
  const payload = payloadOf('logs', logsOf([aLog({ attributes })], { resource: {} }))
  walk(observer, 'logs', payload.flat())
  await dictionary.apply(observer.take(1, 1))
  if ((await keeper.save(dictionary)) !== undefined) console.log(JSON.stringify({ safe: next + 5 }))
}
