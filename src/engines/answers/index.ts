// owns: the way from a question to an answer that can be believed: reading it, looking up, searching, judging, saying, caching
// knows: stores, recall, memory, work areas, claims
// must not know: surfaces, operations, the bus
import { basename } from 'node:path';
import { createStaticEmbedder } from '../../base/embedding/index.ts';
import { once } from '../../base/once.ts';
import type { Answer, Question, Viewer } from './answer.ts';
import { answer } from './ask.ts';
import { openAnswerCache } from './cache/index.ts';
import type { AnswersContext } from './context.ts';
import { createReader, type ReadQuestion } from './reader/index.ts';

export {
  type Answer,
  type AnswerModel,
  citationSchema,
  type Question,
  searchAnswerSchema,
  type Viewer,
} from './answer.ts';
export {
  type CacheQuestion,
  type CurrentState,
  createAnswerCache,
} from './cache/index.ts';
export { citationLine, conflictLine } from './compose.ts';

type ReadOptions = NonNullable<Parameters<ReturnType<typeof createReader>['read']>[1]>;

export type Answers = ReturnType<typeof createAnswers>;

export function createAnswers(opened: AnswersContext & { onClose(work: () => void | Promise<void>): void }) {
  const cache = once(() => openAnswerCache(opened));
  const context = { ...opened, cache };
  const { enabled, weights } = opened.embedding;
  const quick = once(async () => {
    const embedder = createStaticEmbedder({ weights: weights || undefined });
    opened.onClose(() => embedder.release());
    return embedder;
  });
  const reader = createReader({
    clock: opened.clock,
    project: basename(opened.repository.mainRoot),
    quick: enabled ? quick : undefined,
    model: enabled ? opened.model : undefined,
  });

  /** Reads a question once, with the preferences that hold for who asks. */
  const read = async (
    text: string,
    { session, kind = '' }: Viewer,
    options: Pick<ReadOptions, 'target' | 'verb' | 'phase' | 'signal'> = {},
  ): Promise<ReadQuestion> => {
    const { preferences } = await opened.memory();
    return reader.read(text, {
      ...options,
      visibility: `${session} ${kind}`,
      preferences: await preferences.inForce(session),
    });
  };

  return {
    read,
    ask: async (question: Question, viewer: Viewer): Promise<Answer> =>
      answer(
        context,
        question.read ?? (await read(question.text, viewer, { signal: question.signal })),
        question,
        viewer,
      ),
    cache,
    /** Drops cached answers that depend on these files. */
    filesChanged: async (paths: string[]): Promise<void> => (await cache()).filesChanged(paths),
    /** Decisions of a model about where messages go, found again in this process. */
    routeCache: reader.cache.statistics,
  };
}
