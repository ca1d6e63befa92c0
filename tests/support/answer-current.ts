import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fixedClock } from '../../src/base/clock.ts';
import { type CacheQuestion, type CurrentState, createAnswerCache } from '../../src/engines/answers/index.ts';
import { openAnswers } from '../../src/stores/answers/index.ts';
import { fakeEmbedder } from './recall.ts';
import { temporaryDirectory } from './temporary.ts';

/** The state of the stores that a test moves by hand. Files that are not named hold their own name. */
export interface MovableState {
  files: Record<string, string>;
  gone: Set<string>;
  directories: Record<string, string>;
  places: string;
  refs: Record<string, string>;
  versions: Record<string, string>;
  head: string;
  ancestors: string[];
  overlay: string;
}

/** Caches over a real database; several openings of one directory stand for several processes. */
export function testCaches(options: { directory?: string; current?: MovableState } = {}) {
  const directory = options.directory ?? temporaryDirectory('answers');
  const clock = fixedClock();
  const state: MovableState = options.current ?? {
    files: {},
    gone: new Set(),
    directories: {},
    places: '',
    refs: {},
    versions: {},
    head: 'one',
    ancestors: [],
    overlay: '',
  };
  const current: CurrentState = {
    generation: () => JSON.stringify(state.files),
    files: (paths) =>
      new Map(paths.filter((path) => !state.gone.has(path)).map((path) => [path, state.files[path] ?? path])),
    directory: (path) => state.directories[path] ?? '',
    places: () => state.places,
    refs: async (refs) => new Map(refs.map((ref) => [ref, state.refs[ref] ?? ''])),
    version: async (name, viewer) =>
      `${state.versions[name] ?? ''} ${state.versions[`${name} ${viewer.session}`] ?? ''}`,
    head: async () => state.head,
    reaches: async (commit) => commit === state.head || state.ancestors.includes(commit),
    overlay: () => state.overlay,
  };
  const embedder = fakeEmbedder();
  const answers = openAnswers(() => join(directory, 'answers.db'));
  const caches = createAnswerCache({
    answers,
    current,
    clock,
    warn: (line) => {
      throw new Error(line);
    },
    embed: async (text) => ({ vector: (await embedder.embed([text]))[0]!, maker: 'fake' }),
  });
  onTestFinished(() => caches.close());
  return { caches, current: state, clock, directory, answers, parts: { current } };
}

export const question = (
  text: string,
  rest: Partial<CacheQuestion> & Pick<CacheQuestion, 'agent' | 'intent'>,
): CacheQuestion => ({
  text,
  subject: text.split(' ').at(-1)!,
  confidence: 0.9,
  viewer: { session: 'a', seesAll: false },
  ...rest,
});
