import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.ts';

process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, 'node_modules/.cache/sylk-compiled');

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['tests/web/**', 'tests/sandbox/**', '**/node_modules/**'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for is there in a moment; a second, as it is by default, a busy machine takes for nothing at all.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Node loads the sources as it does for a person: quicker than through Vite, and compiled once for all test files.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // In this order: the second makes its directory in the place that the first has chosen.
    globalSetup: ['tests/support/scratch.ts', 'tests/support/postgres.ts'],
    setupFiles: ['tests/support/isolate.ts'],
  },
});
