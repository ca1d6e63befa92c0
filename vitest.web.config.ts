import { defineConfig } from 'vitest/config';

// Tests in a real browser, apart from `npm test`: they need Chromium and the built pages.
export default defineConfig({
  test: {
    include: ['tests/web/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 1,
    setupFiles: ['tests/support/isolate.ts'],
  },
});
