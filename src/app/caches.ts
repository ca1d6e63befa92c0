import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { state } from '../base/files/index.ts';
import type { Log } from '../base/log.ts';
import { once } from '../base/once.ts';
import type { IntentCaches, OpenedRecall } from '../engines/recall/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { AnswerWorldParts } from './answer-world.ts';

export interface CacheParts extends Omit<AnswerWorldParts, 'code' | 'passages'> {
  clock: Clock;
  log: Log;
  /** Where this repository's data lies. */
  directory: () => string;
  code: () => Promise<CodeStore>;
  recall: () => Promise<OpenedRecall>;
  onClose: (work: () => void | Promise<void>) => void;
}

export function intentCachesOf(parts: CacheParts) {
  const path = () => join(parts.directory(), 'cache', 'answers.db');
  const intentCaches = once(async (): Promise<IntentCaches> => {
    const [{ createIntentCaches }, { openAnswers }, { answerWorld }] = await Promise.all([
      import('../engines/recall/index.ts'),
      import('../stores/answers/index.ts'),
      import('./answer-world.ts'),
    ]);
    const recall = await parts.recall();
    const caches = createIntentCaches({
      answers: openAnswers(path),
      world: answerWorld({ ...parts, code: await parts.code(), passages: recall.parts.passages }),
      clock: parts.clock,
      embed: async (text) => {
        const { vector, tier } = await recall.meaning.question(text, false);
        return vector && { vector, maker: `${recall.meaning.fingerprint} ${tier}` };
      },
      warn: (line) => parts.log.warn(line),
    });
    parts.onClose(() => caches.close());
    return caches;
  });
  return {
    intentCaches,
    /** Where nothing was ever kept there is nobody to tell; a failure shows again when somebody looks. */
    tellCaches: (changed: string[]): void => {
      if (!state.exists(path())) return;
      void intentCaches().then(
        (caches) => caches.filesChanged(changed),
        () => undefined,
      );
    },
  };
}
