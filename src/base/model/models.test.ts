import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { systemClock } from '../clock.ts';
import { reportOf } from '../errors.ts';
import type { ModelSettings } from './config/index.ts';
import { createModels } from './index.ts';

const roles = {
  fast: { guide: '' },
  strong: { engineer: 'anthropic/claude-opus-4-5', tester: 'openai/gpt-5.2-codex' },
};
const none: ModelSettings = { fast: '', strong: '', roles: {}, endpoints: {}, prices: {}, limits: {} };

function modelsOf(settings: Partial<ModelSettings>, environment: NodeJS.ProcessEnv, file?: string) {
  const credentialsPath = join(temporaryDirectory('keys'), 'credentials');
  if (file !== undefined) writeFileSync(credentialsPath, file, { mode: 0o600 });
  const models = createModels({
    settings: { ...none, ...settings },
    credentialsPath,
    environment,
    clock: systemClock,
    roles,
  });
  return { models, credentialsPath };
}

const failureOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return reportOf(error);
  }
};

test('a role gets what the person set, then its usual model, then one of a provider whose key is there', () => {
  const both = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'b' };
  const idOf = (settings: Partial<ModelSettings>, environment: NodeJS.ProcessEnv, role: string) =>
    modelsOf(settings, environment).models.choose(role)?.id;
  expect(idOf({}, {}, 'engineer')).toBeUndefined();
  expect(idOf({}, both, 'engineer')).toBe('anthropic/claude-opus-4-5');
  expect(idOf({}, both, 'tester')).toBe('openai/gpt-5.2-codex');
  expect(idOf({}, { ANTHROPIC_API_KEY: 'a' }, 'tester')).toBe('anthropic/claude-opus-4-5');
  expect(idOf({}, { GEMINI_API_KEY: 'a' }, 'nobody knows it')).toBe('google/gemini-3.8-flash');
  expect(idOf({ strong: 'google/x' }, both, 'tester')).toBe('google/x');
  expect(idOf({ strong: 'google/x' }, both, 'guide')).toBe('google/x');
  expect(idOf({ strong: 'google/x', fast: 'google/y' }, both, 'guide')).toBe('google/y');
  expect(idOf({ fast: 'google/y', roles: { tester: 'fast' } }, both, 'tester')).toBe('google/y');
  expect(idOf({ fast: 'google/y', roles: { tester: 'local/z' } }, both, 'tester')).toBe('local/z');
});

test('without a key the failure is the line to type', () => {
  const { models, credentialsPath } = modelsOf({}, {});
  expect(failureOf(() => models.open('engineer'))).toMatchObject({
    code: 'UNAVAILABLE',
    hint: expect.stringMatching(/^Before you start Sylk: export ANTHROPIC_API_KEY=YOUR_KEY /),
  });
  expect(failureOf(() => models.open('google/gemini-3.8-flash'))).toMatchObject({
    hint: expect.stringMatching(/^Before you start Sylk: export GEMINI_API_KEY=YOUR_KEY /),
  });
  expect(failureOf(() => models.open('antropic/claude'))).toMatchObject({
    code: 'NOT_FOUND',
    hint: 'Did you mean anthropic/claude?',
  });
  expect(failureOf(() => models.open('engineer'))).toMatchObject({
    hint: expect.stringContaining(credentialsPath),
  });
});

test('keys come from the environment, then from a file that only the person can read', () => {
  const file = 'ANTHROPIC_API_KEY=from-file\n# mine\nLOCAL_API_KEY="quoted"\n';
  const { models, credentialsPath } = modelsOf({ endpoints: { local: 'http://127.0.0.1:1/v1' } }, {}, file);
  const found = Object.fromEntries(models.providers().map(({ provider, key }) => [provider, key]));
  expect(found).toEqual({
    anthropic: { variable: 'ANTHROPIC_API_KEY', from: 'file' },
    openai: undefined,
    google: undefined,
    local: { variable: 'LOCAL_API_KEY', from: 'file' },
  });
  expect(JSON.stringify(models.providers())).not.toMatch(/from-file|quoted/);
  expect(modelsOf({}, { ANTHROPIC_API_KEY: 'e' }, file).models.providers()[0]?.key?.from).toBe('environment');
  chmodSync(credentialsPath, 0o640);
  const again = createModels({ settings: none, credentialsPath, environment: {}, clock: systemClock, roles });
  expect(failureOf(() => again.choose('guide'))).toMatchObject({
    code: 'DENIED',
    hint: `Run: chmod 600 ${credentialsPath}`,
  });
});

test('a server of the person needs no key, and takes prices and limits from the settings', () => {
  const id = 'ollama/qwen3';
  const { models } = modelsOf(
    {
      endpoints: { ollama: 'http://127.0.0.1:11434/v1' },
      prices: { [id]: { input: 0, output: 0 } },
      limits: { [id]: { window: 32_000, max_output: 4_000 } },
    },
    {},
  );
  expect(models.open(id)).toMatchObject({
    window: 32_000,
    maxOutput: 4_000,
    price: { matchedId: id, source: 'models.prices', output: 0 },
  });
  expect(models.open('ollama/other')).toMatchObject({ window: 128_000, price: undefined });
});
