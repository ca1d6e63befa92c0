import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { fixedClock } from '../../src/base/clock.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from './fixture-repository.ts';

const subjects = ['session', 'rate limit', 'login attempts', 'password', 'cookie', 'shop order', 'index'];
const claims = ['expires after a minute', 'counts per user', 'is kept in memory', 'needs a second look'];

const sentence = (at: number): string =>
  `The ${subjects[at % subjects.length]} ${claims[at % claims.length]}, seen in run ${at}.`;

const questions: Array<[operation: string, input: object]> = [
  'rate limit per user',
  'when does a session expire',
  'cookie',
  'login attempts in memory',
].flatMap(
  (query): Array<[string, object]> => [
    ['search_history', { query, limit: 20 }],
    ['search_all', { query }],
    ['smart_search', { query }],
    ['search', { query }],
    ['find_patterns', { query, min_occurrences: 1 }],
    ['check_mistakes', { approach: query }],
    ['get_decisions', { query }],
    ['ask', { question: query }],
  ],
);

/** What an agent is answered before and after another session wrote this many entries; equal texts for equal bytes. */
export async function answersBesideAnother(
  directory: string,
  entries: number,
): Promise<{ before: string[]; after: string[] }> {
  const place = join(directory, 'repository');
  mkdirSync(place);
  const repository = fixtureRepository(place);
  const clock = fixedClock();
  const open = (kind: 'person' | 'agent', name: string) => {
    const app = openApp({
      directory: repository.path,
      clock,
      env: { ...process.env, SYLK_HOME: join(directory, 'home') },
    });
    const call = async (operation: string, input: unknown) => {
      const outcome = await runOperation(app, { name: operation, input, caller: { kind, name } });
      if (!outcome.ok) throw new Error(`${operation}: ${outcome.error.message}`);
      return outcome.output as Record<string, unknown>;
    };
    return { app, call };
  };
  const callers = [open('person', 'ada'), open('agent', 'viewer'), open('agent', 'other')] as const;
  const [person, viewer, other] = callers;
  const write = async ({ call }: typeof viewer, at: number) =>
    String((await call('store_entry', { content: sentence(at), category: 'decision' }))['node_id']);
  try {
    await person.call('index_repository', {});
    for (const { call } of [viewer, other]) await call('create_session', { name: 'private' });
    for (let at = 0; at < 12; at++) {
      const id = await write(viewer, at * 3);
      if (at % 2 === 0) await person.call('promote', { id });
    }
    const ask = async () => {
      const answers: string[] = [];
      for (const [operation, input] of questions) {
        const answer = JSON.stringify(await viewer.call(operation, input));
        answers.push(`${operation} ${answer.replace(/"\w*_ms":[\d.]+/g, '"ms":0')}`);
      }
      return answers;
    };
    // The first round loads what later ones find in memory.
    await ask();
    const before = await ask();
    for (let at = 0; at < entries; at++) await write(other, at);
    // Later on everything is looked at again; compared is the same moment.
    clock.advance(10_000);
    await ask();
    clock.advance(-10_000);
    return { before, after: await ask() };
  } finally {
    for (const { app } of callers) await app.close();
  }
}
