import { defineConfig } from 'vitest/config'
import { CountsReporter } from './test/counts-reporter.ts'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/testdata/**'],
    testTimeout: 20_000,
    // Many tests wait for processes of their own: a core that Vitest would keep for itself is not missed.
    maxWorkers: '100%',
    reporters: ['default', new CountsReporter()],
  },
})
