import { mkdtempSync, rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// Tests never see the machine's own settings: home, git identity and configuration are fresh and empty, and a day
// begins at the same moment everywhere.
const home = mkdtempSync(join(tmpdir(), 'sylk-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
// A worker is ended before Node would write what it has compiled.
afterAll(() => flushCompileCache());
process.env.HOME = home;
process.env.SYLK_HOME = join(home, '.sylk');
process.env.GIT_CONFIG_GLOBAL = '/dev/null';
process.env.GIT_CONFIG_NOSYSTEM = '1';
process.env.NO_COLOR = '1';
process.env.TZ = 'UTC';
for (const name of ['SYLK_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'])
  delete process.env[name];
// The compiler of TypeScript takes a second at every index; its own tests start it themselves.
process.env.SYLK_CODE_COMPILER_MEGABYTES = '0';
// No test reaches a provider by the key of whoever runs it.
for (const name of Object.keys(process.env)) if (name.endsWith('_API_KEY')) delete process.env[name];
