// owns: the way from a question to an answer that can be believed: reading it, looking up, searching, judging, saying, caching
// knows: stores, recall, memory, work areas, claims
// must not know: surfaces, operations, the bus
import { basename } from 'node:path';
import { createStaticEmbedder } from '../../base/embedding/index.ts';
import { reportOf } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import type { Answer, AnswerModel, Question, Viewer } from './answer.ts';
import { answer } from './ask.ts';
import { openAnswerCache } from './cache/index.ts';
import type { AnswersContext } from './context.ts';
import { type ClassifyingModel, createReader, type ReadQuestion } from './reader/index.ts';

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
export { historyOfLine } from './line-history.ts';

type ReadOptions = NonNullable<Parameters<ReturnType<typeof createReader>['read']>[1]>;

export type Answers = ReturnType<typeof createAnswers>;

export function createAnswers(opened: AnswersContext & { onClose(work: () => void | Promise<void>): void }) {
  const cache = once(() => openAnswerCache(opened));
  const project = basename(opened.repository.mainRoot);
  const { enabled, weights } = opened.embedding;
  const quick = once(async () => {
    const embedder = createStaticEmbedder({ weights: weights || undefined });
    opened.onClose(() => embedder.release());
    return embedder;
  });
  const reader = createReader({
    clock: opened.clock,
    project,
    quick: enabled ? quick : undefined,
    model: enabled ? opened.model : undefined,
  });

  const modelFor = (role: string, { session, readOnly }: Viewer) =>
    readOnly ? undefined : opened.languageModel?.(role, { session });

  const writerOf = (open: ReturnType<typeof modelFor>): AnswerModel | undefined =>
    open && (async (request) => (await import('./language-model.ts')).writeAnswer(await open(), request));

  /** Decides where the rules are not sure. A model that fails leaves it to them. */
  const classifierFor = (viewer: Viewer): ClassifyingModel | undefined => {
    const open = modelFor('guide', viewer);
    if (!open) return undefined;
    return async (request) => {
      try {
        const { classify } = await import('./language-model.ts');
        return await classify(await open(), request);
      } catch (error) {
        opened.log.warn(`the model did not classify a message: ${reportOf(error).message}`);
        return undefined;
      }
    };
  };

  /** Reads a question once, with the preferences that hold for who asks. */
  const read = async (
    text: string,
    viewer: Viewer,
    options: Pick<ReadOptions, 'target' | 'verb' | 'phase' | 'signal'> = {},
  ): Promise<ReadQuestion> => {
    const { preferences } = await opened.memory();
    const { session, kind = '' } = viewer;
    return reader.read(text, {
      ...options,
      model: classifierFor(viewer),
      visibility: `${session} ${kind}`,
      preferences: await preferences.inForce(session),
    });
  };

  const context = { ...opened, cache, project, read };

  return {
    read,
    ask: async (question: Question, viewer: Viewer): Promise<Answer> => {
      const open = modelFor('librarian', viewer);
      return answer(
        context,
        question.read ?? (await read(question.text, viewer, { signal: question.signal })),
        { ...question, model: question.model ?? writerOf(open) },
        viewer,
      );
    },
    cache,
    /** Drops cached answers that depend on these files. */
    filesChanged: async (paths: string[]): Promise<void> => (await cache()).filesChanged(paths),
    /** Decisions of a model about where messages go, found again in this process. */
    routeCache: reader.cache.statistics,
  };
}
