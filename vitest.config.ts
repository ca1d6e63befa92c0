import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['tests/web/**', 'tests/sandbox/**', '**/node_modules/**'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for is there in a moment; a second, as it is by default, a busy machine takes for nothing at all.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['tests/support/postgres.ts'],
    setupFiles: ['tests/support/isolate.ts'],
  },
});
