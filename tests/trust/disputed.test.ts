import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { testRepository } from '../support/repository.ts';

interface Reply {
  citations: Array<{ ref: string; domain: string; state: string; trust: number }>;
  conflicts: Array<{ left: string; right: string; description: string }>;
}

/** A name that so many files use that recall has no room for anything else. */
async function crowded() {
  const repository = testRepository();
  const users = Array.from({ length: 20 }, (_, n) => [
    `src/users/use-timeout-${n}.ts`,
    `import { Timeout } from '../timeout.ts';\n\n/** What a Timeout does in place ${n}. */\nexport const timeout${n} = new Timeout(${n});\n`,
  ]);
  repository.commit('feat: Timeout', {
    ...Object.fromEntries(users),
    'src/timeout.ts':
      '/** How long something may take. */\nexport class Timeout {\n  constructor(readonly seconds: number) {}\n}\n',
    'src/still.ts': '/** What is there still stands there. */\nexport const standing = true;\n',
    'package.json': '{ "name": "clock", "dependencies": { "zod": "^4.0.0" } }\n',
  });
  const app = openApp({ directory: repository.path, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const call = async <T>(name: string, input: object, caller = 'ada', kind: 'person' | 'agent' = 'agent') => {
    const outcome = await runOperation(app, { name, input, caller: { kind, name: caller } });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
    return outcome.output as T;
  };
  await call('index_repository', {}, 'ada', 'person');
  const remember = async (content: string, shared: boolean) => {
    const { entry } = await call<{ entry: { id: string } }>('store_entry', {
      content,
      category: 'general',
    });
    if (shared) await call('promote', { id: entry.id }, 'ada', 'person');
    return `entry:${entry.id}`;
  };
  const ask = (question: string, caller = 'bob') =>
    call<Reply>('ask', { question, token_budget: 3000 }, caller);
  return { remember, ask };
}

test('an entry that the code refutes about the very thing asked for is named and labelled, however much else was found', async () => {
  const { remember, ask } = await crowded();
  const lie = await remember('We removed `Timeout` last month, nothing of it is left.', true);
  for (const question of ['is Timeout still there', 'what does Timeout do', 'what is Timeout']) {
    const { citations, conflicts } = await ask(question);
    expect(citations[0], question).toMatchObject({ domain: 'code' });
    expect(
      conflicts.map(({ left }) => left),
      question,
    ).toEqual([lie]);
    expect(
      citations.findIndex(({ ref }) => ref === lie),
      question,
    ).toBeGreaterThan(0);
    expect(citations.find(({ ref }) => ref === lie)!.state, question).toBe('⚠️ UNVERIFIED');
  }
});

test('a dispute about something else is not brought up, nor is one that only its own session may see', async () => {
  const { remember, ask } = await crowded();
  await remember('We removed `Timeout` last month, nothing of it is left.', true);
  const other = await ask('where do users stand');
  expect(other.conflicts).toEqual([]);
  expect(other.citations.every(({ domain }) => domain !== 'chronicle')).toBe(true);
  // Its path has the words of the name that is asked for; it is about another thing all the same.
  await remember('`standing` is defined in src/users/use-timeout-3.ts.', true);
  await remember('`timeout7` is defined in src/timeout.ts.', true);
  const named = await ask('what does Timeout do');
  expect(named.conflicts.map(({ description }) => description)).toEqual([
    expect.stringContaining('We removed `Timeout`'),
  ]);
  const secret = await remember('`Timeout` is defined in src/secret-place.ts.', false);
  const text = JSON.stringify(await ask('where is Timeout defined', 'bob'));
  expect(text).not.toContain(secret);
  expect(text).not.toContain('secret-place');
  expect((await ask('where is Timeout defined', 'ada')).conflicts.map(({ left }) => left)).toContain(secret);
});
