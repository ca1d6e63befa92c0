import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Every program that a test starts is the same one: compiled once for all of them.
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, 'node_modules/.cache/sylk-compiled');

// Tests that need a program which npm does not bring, apart from `npm test`: Chromium and the built pages, bubblewrap, tmux.
export default defineConfig({
  test: {
    include: ['tests/web/**/*.test.ts', 'tests/sandbox/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 1,
    setupFiles: ['tests/support/isolate.ts'],
  },
});
