import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { openApp } from '../../app.ts';
import { runOperation } from '../run.ts';

const files = {
  'package.json':
    '{\n  "name": "shop",\n  "version": "2.1.0",\n  "engines": { "node": ">=22" },\n  "scripts": { "test": "node test/run.js" },\n  "dependencies": {\n    "zod": "^4.1.0"\n  }\n}\n',
  'src/server.ts':
    "import { chargeCard } from './card.ts';\n\nconst DEFAULT_PORT = 8080;\n\nexport function startServer() {\n  listen(DEFAULT_PORT);\n  return chargeCard(1);\n}\n\nfunction listen(port: number) {\n  return port;\n}\n",
  'src/card.ts':
    '/** Takes money from a card. */\nexport function chargeCard(amount: number) {\n  return round(amount);\n}\nfunction round(amount: number) {\n  return amount;\n}\n',
  'src/main.ts': "import { startServer } from './server.ts';\n\nstartServer();\n",
  'CONTRIBUTING.md': '# Tests\n\nTo run a single test: `node test/run.js NAME`\n',
  'test/run.js': 'process.exit(0);\n',
};

interface Asked {
  notes: string[];
  answer: string;
  searched_for?: string[];
  citations: Array<{ place: string; reason: string }>;
}

function repositoryWith(content: Record<string, string>): string {
  const repository = testRepository();
  repository.commit('one', content);
  return repository.path;
}

function asking(directory: string) {
  const app = openApp({ directory });
  onTestFinished(() => app.close());
  return async (question: string) => {
    const outcome = await runOperation(app, {
      name: 'ask',
      input: { question },
      caller: { kind: 'person', name: 'test' },
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as Asked;
  };
}

function opened() {
  const ask = asking(repositoryWith(files));
  return async (question: string) =>
    (await ask(question)).citations.map(({ place, reason }) => `${place} ${reason}`);
}

test('how something works is the path through the code: where it begins, what it calls, who starts it', async () => {
  const ask = opened();
  expect(await ask('how does startServer work')).toEqual([
    expect.stringMatching(/^src\/server\.ts:5-8 /),
    'src/server.ts:10 line 6 calls listen: listen(DEFAULT_PORT);',
    'src/card.ts:2 line 7 calls chargeCard: return chargeCard(1);',
    'src/main.ts:3 started by src/main.ts: startServer();',
  ]);
  // Words of a name are the name.
  expect((await ask('how does the charge card work'))[0]).toMatch(/^src\/card\.ts:2-4 /);
});

test('a present fact is answered by the line that states it', async () => {
  const ask = opened();
  expect(await ask('what version is this')).toEqual(['package.json:3 "version": "2.1.0",']);
  expect((await ask('which node version is required'))[0]).toMatch(/^package\.json:4 .*>=22/);
  expect(await ask('which version of zod do we use')).toEqual(['package.json:7 "zod": "^4.1.0"']);
  expect(await ask('what is the default port')).toEqual(['src/server.ts:3 const DEFAULT_PORT = 8080;']);
});

test('what is there already is shown before something is written again', async () => {
  expect((await opened()('is there already something for charging a card'))[0]).toMatch(/^src\/card\.ts:2 /);
});

test('tests are run by the script of the project, one test as its documents say', async () => {
  const ask = opened();
  expect((await ask('how are the tests run'))[0]).toContain('`npm test`');
  expect((await ask('how do I run a single test'))[0]).toBe('CONTRIBUTING.md:3 `node test/run.js NAME`');
});

test('who knows, what changed and which tests there are is looked up by the words of a path, too', async () => {
  const repository = testRepository();
  repository.commit('add the filter', {
    'src/filter/owner.rs': 'fn own() {}\n',
    'demo/walk.rs': 'fn main() {}\n',
  });
  repository.commit('add the walk', {
    'src/walk.rs': 'fn walk() {}\n',
    'tests/owner_test.rs': 'fn t() {}\n',
  });
  const ask = asking(repository.path);
  expect((await ask('who wrote the owner filter')).answer).toContain('Who changed src/filter/owner.rs most');
  expect((await ask('who should I ask about the walker')).answer).toContain('Who changed src/walk.rs most');
  expect((await ask('what changed lately in the filter code')).citations[0]!.place).toBe('add the filter');
  expect((await ask('where are the tests for owner')).citations[0]!.place).toBe('tests/owner_test.rs');
  repository.commit('add auth', {
    'lib/auth.py': 'class NetrcAuth:\n    pass\n',
    'tests/test_auth.py':
      'from lib.auth import NetrcAuth\n\ndef test_netrc_auth_here():\n    pass\n\ndef test_other():\n    NetrcAuth()\n',
  });
  for (const question of ['which tests cover netrc auth?', 'which tests cover the login (NetrcAuth etc)?'])
    expect((await ask(question)).citations[0], question).toMatchObject({
      reason: expect.stringContaining('test_other (7)'),
    });
});

test('an area in words is every file of the code that the words mean, and documents and tests only where they are asked for', async () => {
  const repository = testRepository();
  repository.commit('Document bash', { 'site/completions/bash.md': 'How to complete.\n' });
  repository.commit(
    'Complete bash',
    { 'bash_completions.go': 'package a\n' },
    { author: 'Bo <bo@example.org>' },
  );
  repository.commit(
    'Complete bash again',
    { 'bash_completionsV2.go': 'package a\n' },
    { author: 'Bo <bo@example.org>' },
  );
  repository.commit('Test bash', { 'bash_completions_test.go': 'package a\n' });
  repository.commit(
    'Stop late',
    { 'src/timed-out.ts': 'export class TimeoutError {}\n' },
    { author: 'Cy <cy@example.org>' },
  );
  repository.commit('Test late', { 'test/timeout.ts': 'export const a = 1;\n' });
  const ask = asking(repository.path);
  const changed = await ask('what changed lately in bash completion?');
  expect(changed.answer).toContain('Latest commits of bash_completions.go and bash_completionsV2.go');
  expect(changed.citations.map(({ place }) => place)).toEqual(['Complete bash again', 'Complete bash']);
  expect((await ask('who knows bash completion best')).citations[0]).toMatchObject({ place: 'Bo' });
  expect((await ask('who knows the bash completion docs best')).answer).toContain('site/completions');
  expect((await ask('who knows most about the timeout code?')).citations[0]).toMatchObject({ place: 'Cy' });
});

test('the commit that added or removed something is found by what it did', async () => {
  const repository = testRepository();
  repository.commit('start', { 'a.rb': 'class Proxy\nend\n' });
  repository.commit('wrap bodies', { 'b.rb': 'class BodyWrap\nend\n' });
  repository.commit('go without wrapping', { 'b.rb': 'nil\n' });
  const ask = asking(repository.path);
  expect((await ask('why was BodyWrap removed')).citations[0]!.place).toBe('go without wrapping');
  expect((await ask('which commit introduced BodyWrap')).citations[0]!.place).toBe('wrap bodies');
});

function withHistory() {
  const repository = testRepository();
  repository.commit('start', { 'src/reader.ts': 'export function readLines() {\n  return 1;\n}\n' });
  repository.commit('Add a reader of numbers', {
    'src/numbers.ts': 'export const parse = (text) => strtod(text);\n',
  });
  repository.commit(
    'Use fast_float instead of strtod\n\nIt is seven times faster. strtod honours the locale of the process, so 3.14 was read as 3 in Germany.',
    { 'src/numbers.ts': 'export const parse = (text) => fastFloat(text);\n' },
  );
  repository.commit(
    'Change the reader to match splitlines\n\nLeading to an enormous speed up of readLines.',
    {
      'src/reader.ts': 'export function readLines() {\n  return splitLines({ compact: true });\n}\n',
    },
  );
  repository.commit('Detection of test binaries for every system', {
    'src/tests.ts': 'export const a = 1;\n',
  });
  repository.commit(
    'Revert "Detection of test binaries for every system"\n\nThis reverts commit 0123456789.\n\nSome programs set their arguments in unit tests and this change would break those.',
    { 'src/tests.ts': 'export const b = 1;\n' },
  );
  repository.commit('Remove the promise cancel API in favor of signals', {
    'src/c.ts': 'export const c = 1;\n',
  });
  repository.commit('Docs: which commit is released, and why', {
    'README.md': 'The commit and the promise API.\n',
  });
  return asking(repository.path);
}

test('who asks why, or which commit, gets the commit by the words of its message, with what it says below its title', async () => {
  const ask = withHistory();
  const strtod = await ask('why did we replace strtod for parsing doubles?');
  expect(strtod.citations[0]!.place).toBe('Use fast_float instead of strtod');
  expect(strtod.answer).toContain('3.14 was read as 3 in Germany');
  expect((await ask('which commit removed the promise .cancel() api?')).citations[0]!.place).toMatch(
    /^Remove the/,
  );
  expect((await ask('reading lines used to be slow, what was done about it?')).citations[0]!.place).toMatch(
    /^Change the reader/,
  );
  // The line of the named function has the word; the message has none of them.
  expect((await ask('why does readLines ask for compact?')).citations[0]!.place).toMatch(
    /^Change the reader/,
  );
});

test('a revert is found by other forms of its words, and told with its reason', async () => {
  const { answer } = await withHistory()('why was the change to detect a test binary reverted?');
  expect(answer).toMatch(/\[1\] Revert "Detection .* would break those\./);
});

test('what was remembered about it stands before the commits that say why', async () => {
  const repository = testRepository();
  repository.commit('Use SQLite for the sessions', { 'a.ts': 'export const a = 1;\n' });
  const app = openApp({ directory: repository.path });
  onTestFinished(() => app.close());
  const call = (name: string, input: Record<string, unknown>) =>
    runOperation(app, { name, input, caller: { kind: 'person', name: 'test' } });
  await call('store_entry', {
    title: 'Sessions in SQLite',
    content: 'SQLite needs no server.',
    category: 'decision',
  });
  const outcome = await call('ask', { question: 'why do we keep sessions in SQLite' });
  const { citations } = (outcome as unknown as { output: Asked }).output;
  expect(citations.map(({ place }) => place)).toEqual(['Sessions in SQLite', 'Use SQLite for the sessions']);
});

test.each(['where do walnuts live', 'how are walnuts kept', 'is there a place for walnuts'])(
  'what no file contains and somebody remembered comes first: %s',
  async (question) => {
    const app = openApp({ directory: repositoryWith(files) });
    onTestFinished(() => app.close());
    const call = (name: string, input: Record<string, unknown>) =>
      runOperation(app, { name, input, caller: { kind: 'person', name: 'test' } });
    await call('store_entry', {
      title: 'store',
      content: 'Walnuts live in the cellar.',
      category: 'decision',
    });
    const outcome = await call('ask', { question });
    const { answer, citations } = (outcome as unknown as { output: Asked }).output;
    expect(citations[0]!.place).toBe('store');
    expect(answer).toMatch(/^No (?:file|result) contains .* What was remembered does:/);
  },
);

test('a default of a parameter is its value, and words of the place may name a setting', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'docs/use.md': 'Set `reraise=True` to see it.\n',
    'lib/query_parser.rb': 'class QueryParser\n  PARAMS_LIMIT = 4096\nend\n',
    'src/options.ts':
      'const defaults = {\n\tretry: {\n\t\tlimit: 2,\n\t\tmaxRetryAfter: undefined,\n\t},\n\tpage: {\n\t\tlimit: 9,\n\t},\n};\n',
    'lib/constants.rb': "RACK_MULTIPART_BUFFER_SIZE = 'rack.multipart.buffer_size'\n",
    'lib/multipart/parser.rb': 'class Parser\n  BUFSIZE = 1_048_576\nend\n',
    'retry/base.py':
      'class Retrying:\n    def __init__(self, reraise: bool = False):\n        self.reraise = reraise\n',
  });
  const ask = asking(repository.path);
  expect((await ask('what is the default value of reraise')).citations[0]!.place).toBe('retry/base.py:2');
  expect((await ask('what is the query params limit')).citations[0]!.place).toBe('lib/query_parser.rb:2');
  const limit = await ask('what is the default retry limit and which codes are retried?');
  expect(limit.citations[0]).toMatchObject({
    place: 'src/options.ts:3',
    reason: expect.stringContaining('limit: 2'),
  });
  expect(limit.notes).toEqual(['Ask the rest by itself: which codes are retried?']);
  const size = await ask('what is the default multipart buffer size');
  expect(size.citations.map(({ place }) => place)).toEqual([
    'lib/multipart/parser.rb:2',
    'lib/constants.rb:1',
  ]);
});

test('asked whether something is there, the answer says so where no file has all of it', async () => {
  const ask = asking(repositoryWith(files));
  expect((await ask('is there a circuit breaker')).answer).toMatch(/^(?:No file contains|Nothing matches)/);
  expect((await ask('does it support card refunds')).answer).toMatch(/^(?:No file contains|Nothing matches)/);
});

test('a name or a word that is nowhere is said to be nowhere, before what looks like it', async () => {
  const ask = asking(
    repositoryWith({
      ...files,
      'src/proxy.ts':
        '/** Forwards http events of a form; http 2 only. */\nexport function proxyEvents(environment: string) {\n  return environment;\n}\n',
      'src/digest.ts': '/** Digest authentication. */\nexport function digestAuth() {\n  return 3;\n}\n',
    }),
  );
  const proxy = await ask('does it support HTTP_PROXY environment variables?');
  expect(proxy.answer).toMatch(/^No file contains "HTTP_PROXY" or "variables"\. Closest matches:/);
  expect((await ask('does shop have http/3?')).answer).toMatch(/^No file contains "http\/3"/);
  expect((await ask('does it reconnect with exponential backoff?')).answer).toMatch(
    /^No file contains "reconnect" or "exponential" or "backoff"/,
  );
  expect((await ask('does it come with an orm?')).answer).toMatch(/^No file contains "orm"/);
  expect((await ask('does it support http2?')).answer).not.toContain('No file contains');
});

test('a mistyped word or name is searched for as it is spelled here, and that is said', async () => {
  const ask = asking(
    repositoryWith({
      ...files,
      'src/digest.ts': '/** Digest. */\nexport function digestAuth() {\n  return 3;\n}\n',
    }),
  );
  const how = await ask('how does degist auth wrok?');
  expect(how.searched_for).toEqual([
    'Searched for "digest" instead of "degist".',
    'Searched for "work" instead of "wrok".',
  ]);
  expect(how.citations[0]!.place).toMatch(/^src\/digest\.ts/);
  const where = await ask('where is startSevrer defined?');
  expect(where.searched_for).toEqual(['Searched for "startServer" instead of "startSevrer".']);
  expect(where.citations[0]!.place).toBe('src/server.ts:5');
});

test('how sure a link is, is told only where that was measured', async () => {
  const reasons = await opened()('what breaks if I change chargeCard');
  expect(reasons[0]).toMatch(/^src\/server\.ts:7 directly by startServer, 99 % sure$/);
  expect(reasons[1]).toMatch(/^src\/main\.ts in 2 steps/);
  expect(reasons[1]).not.toContain('%');
  const rust = asking(repositoryWith({ 'src/a.rs': 'pub fn own() {}\npub fn go() {\n    own();\n}\n' }));
  expect((await rust('what breaks if I change own')).answer).not.toContain('%');
});

test('what is defined in a file that no parser reads is found by the line that gives it a value', async () => {
  const ask = asking(
    repositoryWith({
      Makefile: 'DYLIB_MAKE_CMD=$(CC)\nall:\n\techo $(DYLIB_MAKE_CMD)\n',
      'wide.h': `#define WIDE_LIMIT 3\n// ${'x'.repeat(21_000)}\n`,
      'use.c': '#include "wide.h"\nint limit = WIDE_LIMIT;\n',
    }),
  );
  expect((await ask('where is DYLIB_MAKE_CMD defined')).citations[0]!.place).toBe('Makefile:1');
  expect((await ask('where is WIDE_LIMIT')).citations[0]!.place).toBe('wide.h:1');
});
