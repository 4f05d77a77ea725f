import { defineConfig } from 'vitest/config'
import { CountsReporter } from './test/counts-reporter.ts'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/testdata/**'],
    testTimeout: 20_000,
    reporters: ['default', new CountsReporter()],
  },
})
