import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fixedClock } from '../../src/base/clock.ts';
import { createStaticEmbedder } from '../../src/base/embedding/index.ts';
import { silentLog } from '../../src/base/log.ts';
import { openReferences } from '../../src/stores/references/index.ts';
import { temporaryDirectory } from './temporary.ts';

type Store = Awaited<ReturnType<typeof openReferences>>;
type Call = Parameters<Store['create']>[0];
type Options = Parameters<typeof openReferences>[0];

export const draft = (change: Partial<Call['draft']> = {}): Call['draft'] => ({
  title: 'Dioxus - Rust UI Framework',
  body: 'Dioxus is a portable, performant framework for building cross-platform UIs in Rust. Uses RSX syntax similar to JSX.',
  sources: [],
  tags: ['rust', 'ui', 'framework', 'dioxus'],
  max_age_days: 30,
  trust_score: 8,
  kind: 'documentation',
  ...change,
});

/** Opening the table of words costs half a second; the tests of one file share it. */
const embedder = createStaticEmbedder();

/** A store of its own in a temporary directory, with a clock that the test moves. */
export async function testReferences(outside: Options['outside'] = {}, change: Partial<Options> = {}) {
  const clock = fixedClock(Date.UTC(2025, 5, 15, 10));
  const root = join(temporaryDirectory('references'), 'references');
  const open = async (): Promise<Store> => {
    const store = await openReferences({
      root,
      clock,
      log: silentLog,
      embedder,
      outside: { gh: '', ...outside },
      budget: { maxFiles: 2000, maxBytes: 50_000_000, maxFileBytes: 200_000, timeoutMs: 60_000 },
      ...change,
    });
    onTestFinished(() => store.close());
    return store;
  };
  const store = await open();
  const asked: Array<Parameters<Call['permit']>[0]> = [];
  /** Creates with a permit that is always given, and keeps what was asked. */
  const create = (given: Partial<Call['draft']>, more: Partial<Call> = {}) =>
    store.create({
      draft: draft(given),
      author: { agent: 'client', model: 'test' },
      answered: false,
      permit: async (question) => {
        asked.push(question);
        return { done: async () => {}, release: async () => {} };
      },
      ...more,
    });
  return { store, open, create, asked, clock, root };
}

export async function failure(
  work: Promise<unknown>,
): Promise<{ code: string; message: string; hint?: string; data?: Record<string, unknown> }> {
  return (await work.then(
    (value) => Promise.reject(new Error(`it did not fail: ${JSON.stringify(value)}`)),
    (error) => error,
  )) as never;
}
