import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openApp } from '../../app.ts';
import type { RecordedStep } from '../../stores/transcripts/index.ts';
import { runOperation } from '../run.ts';

const files = {
  'src/limit.ts':
    'export const mostTries = 3;\n\nexport function mayTry(count: number) {\n  return count < mostTries;\n}\n',
  'src/login.ts':
    "import { mayTry } from './limit.ts';\n\nexport const login = (count: number) => mayTry(count);\n",
};

function opened(steps: object[]) {
  const repository = testRepository();
  repository.commit('one', files);
  const directory = temporaryDirectory('consult');
  const script = join(directory, 'script.json');
  const price = { input: 3, output: 15 };
  writeFileSync(script, JSON.stringify({ price, conversations: [{ when: 'tries', steps }] }));
  const app = openApp({
    directory: repository.path,
    env: { ...process.env, SYLK_HOME: join(directory, 'home') },
  });
  onTestFinished(() => app.close());
  const consult = async (input: object) => {
    const outcome = await runOperation(app, {
      name: 'consult',
      input: { question: 'how are tries limited?', ...input },
      caller: { kind: 'person', name: 'test' },
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as {
      answer: string;
      by: string;
      id: string;
      entry: string;
      files: string[];
      warnings: string[];
      notes: string[];
      cost: number;
    };
  };
  const stepsOf = async (run: string, node: string): Promise<RecordedStep[]> =>
    (await app.transcripts()).steps({ run, node });
  return { app, consult, stepsOf, model: `script:${script}` };
}

const search = (query: string) => ({ calls: [{ name: 'search_code', input: { query } }] });
const answer = {
  text: 'mayTry in src/limit.ts:3 allows mostTries (src/limit.ts:1). Not found: who resets it.',
};

test('a role that is asked looks further, answers, and what it found is stored under its name and linked to the code', async () => {
  const { app, consult, model } = opened([search('mayTry'), { expect: 'limit', ...answer }]);
  const said = await consult({ role: 'librarian', model });
  expect(said).toMatchObject({
    answer: answer.text,
    by: 'model',
    files: ['src/limit.ts'],
    warnings: [],
    notes: [],
  });
  expect(said.cost).toBeGreaterThan(0);
  const memory = await app.memory();
  const entry = await memory.chronicle.get({ session_id: '', sees_all: true }, said.entry);
  expect(entry).toMatchObject({
    source: 'librarian',
    source_kind: 'agent',
    promoted: true,
    metadata: { consultation: said.id },
  });
  expect(entry.refs).toContain('file:src/limit.ts');
  // The next one that asks begins with it.
  const later = await consult({ role: 'archivalist' });
  expect(later).toMatchObject({ by: 'memory', answer: expect.stringContaining(said.entry) });
  expect(later.notes.join()).toContain('No model is set for the archivalist');
});

test('a role that is asked changes nothing, whatever it calls', async () => {
  const { consult, stepsOf, model } = opened([
    {
      calls: [
        { name: 'write_file', input: { path: 'src/limit.ts', content: 'x' } },
        { name: 'store_entry', input: { content: 'planted words here' } },
      ],
    },
    answer,
  ]);
  const { id } = await consult({ role: 'archivalist', model });
  const results = (await stepsOf(id, 'archivalist')).flatMap((step) =>
    step.kind === 'result' ? [step] : [],
  );
  expect(results.map(({ isError }) => isError)).toEqual([true, true]);
});

test('it looks further only as often as the depth allows, and is not sent twice what it has seen', async () => {
  const { consult, stepsOf, model } = opened([
    search('mayTry'),
    search('mayTry'),
    { expect: 'Answer now', ...answer },
  ]);
  const { id, by } = await consult({ role: 'librarian', model, depth: 'quick' });
  expect(by).toBe('model');
  const steps = await stepsOf(id, 'librarian');
  const asked = steps.flatMap((step) => (step.kind === 'asking' ? [step.tools] : []));
  expect(asked.at(0)).toContain('search_code');
  expect(asked.at(-1)).not.toContain('search_code');
  const [first = '', second = ''] = steps.flatMap((step) => (step.kind === 'result' ? [step.text] : []));
  expect(second.length).toBeLessThan(first.length);
  expect(second).toContain('lines that you have seen are left out');
});

test('what the code refutes is said beside the answer, and is no fact of its own', async () => {
  const facts =
    '- `mayTry` is defined in `src/limit.ts`, line 3.\n- The constant `mostTries` is 5.\n- Tries are reset every hour (src/gone.ts:4).';
  const { app, consult, model } = opened([{ text: facts }]);
  const said = await consult({ role: 'librarian', model, want: 'facts' });
  const memory = await app.memory();
  const found = await memory.chronicle.find(
    { session_id: '', sees_all: true },
    { categories: ['insight'], limit: 20 },
  );
  const stored = found
    .filter(({ derived_from }) => derived_from.includes(said.entry))
    .map(({ content }) => content);
  expect(said.warnings).toEqual([expect.stringContaining('refutes'), expect.stringContaining('src/gone.ts')]);
  expect(stored).toEqual([expect.stringContaining('mayTry')]);
});

test('a model that gives no answer leaves what the memory has, and says so', async () => {
  const { consult, model } = opened([
    { calls: [{ name: 'request_help', input: { question: 'Which tries?' } }] },
  ]);
  const said = await consult({ role: 'librarian', model });
  expect(said).toMatchObject({ by: 'memory', answer: expect.stringContaining('src/limit.ts') });
  expect(said.notes.join()).toContain('Which tries?');
});
