import type { Reporter, TestModule } from 'vitest/node'

/** Ends the output with `N passed, N failed, N skipped` alone on a line, for readers that know no runner. */
export class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const before = counts.failed
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') counts[state]++
      }
      // A file that cannot be loaded has no tests but is a failure.
      if (module.state() === 'failed' && counts.failed === before) counts.failed++
    }
    process.on('exit', () => {
      process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
    })
  }
}
