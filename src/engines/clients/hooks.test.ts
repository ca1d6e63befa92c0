import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { hookClients } from './catalogue.ts';
import { createClients } from './index.ts';
import { placesOf } from './places.ts';

function machine() {
  const home = temporaryDirectory('hooks');
  const repository = join(home, 'work', 'project');
  mkdirSync(repository, { recursive: true });
  const env = { HOME: home, PATH: '' };
  const { hooks, ofRepository, uninstall } = createClients({
    env,
    repository,
    directory: join(home, '.sylk', 'clients'),
    platform: 'linux',
    launcher: '/opt/sylk/bin/sylk',
  });
  return { places: placesOf(env, 'linux'), repository, hooks, ofRepository, uninstall };
}

const combinations = hookClients.flatMap(({ id }) =>
  (['user', 'project'] as const).map((scope) => [id, scope] as const),
);

/** Settings that somebody lives with: comments, other hooks of the same event, their own indentation. */
const lived =
  '{\n    // mine, keep it\n    "theme": "dark",\n    "hooks": {\n        "SessionStart": [\n            { "matcher": "startup", "hooks": [{ "type": "command", "command": "mine.sh" }] } // works\n        ]\n    }\n}\n';

test('each client gets the hooks that its documentation describes', () => {
  const { hooks } = machine();
  const shapes = Object.fromEntries(
    combinations.map(([id, scope]) => [`${id} ${scope}`, hooks.preview(id, scope).after]),
  );
  expect(shapes).toMatchSnapshot();
});

test.each(combinations)(
  '%s (%s): twice is as once, and uninstall gives the original bytes back',
  (id, scope) => {
    const client = hookClients.find((each) => each.id === id)!;
    for (const original of client.events ? [undefined, '{}', '', lived] : [undefined]) {
      const { hooks, places, repository } = machine();
      const path = client.path(scope, places, repository);
      if (original !== undefined) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, original);
      }
      expect(hooks.install(id, scope).changed).toBe('added');
      const once = readFileSync(path, 'utf8');
      if (original === lived) expect(once).toContain('mine.sh');
      expect(hooks.install(id, scope).changed).toBe('unchanged');
      expect(readFileSync(path, 'utf8')).toBe(once);
      expect(hooks.uninstall(id, scope).result).toBe('restored');
      if (original === undefined) expect(existsSync(dirname(path))).toBe(false);
      else expect(readFileSync(path, 'utf8')).toBe(original);
      expect(hooks.uninstall(id, scope).result).toBe('not installed');
    }
  },
);

test('what a person changed after the installation stays when our hooks go', () => {
  const { hooks, places, repository } = machine();
  const path = hookClients[0]!.path('user', places, repository);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lived);
  hooks.install('claude-code', 'user');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"dark"', '"light"'));
  expect(hooks.uninstall('claude-code', 'user').result).toBe('entry removed');
  const left = readFileSync(path, 'utf8');
  expect(left).toContain('// mine, keep it');
  expect(left).toContain('"light"');
  expect(left).toContain('mine.sh');
  expect(left).not.toContain('sylk');
});

test('a broken settings file, and a plugin of somebody else, are refused and left as they are', () => {
  const { hooks, places, repository } = machine();
  for (const [id, text, code] of [
    ['claude-code', '{ "hooks": [1] }', 'VALIDATION_ERROR'],
    ['gemini', '{ broken', 'VALIDATION_ERROR'],
    ['opencode', 'export const Mine = 1;\n', 'CONFLICT'],
  ] as const) {
    const path = hookClients.find((each) => each.id === id)!.path('user', places, repository);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    expect(() => hooks.install(id, 'user')).toThrow(expect.objectContaining({ code }));
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});

test('leaving a repository takes its hooks along', () => {
  const { hooks, ofRepository, uninstall } = machine();
  const { path } = hooks.install('codex', 'project');
  for (const install of ofRepository()) uninstall(install);
  expect(existsSync(path)).toBe(false);
});
