import { Behaviour, testDistribution } from '../cli.test-support.ts'
import { runProcess } from '../run-process.ts'

const behaviour = new Behaviour()
if (process.argv.includes('--shutdown-timeout=1h')) behaviour.stop = () => new Promise(() => {})
await runProcess(testDistribution(behaviour))
