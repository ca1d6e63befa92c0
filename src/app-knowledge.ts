import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TrustAccessors, type TrustParts, trustAccessors } from './app-trust.ts';
import type { Clock } from './base/clock.ts';
import type { Git, Repository } from './base/git/index.ts';
import type { Library } from './base/library/index.ts';
import type { Log } from './base/log.ts';
import { once } from './base/once.ts';
import type { Memory } from './engines/memory/index.ts';
import type { IntentCaches, OpenedRecall } from './engines/recall/index.ts';
import type { Answer } from './engines/resolver/index.ts';
import type { CodeStore } from './stores/code/index.ts';
import type { Graph } from './stores/graph/index.ts';
import type { History } from './stores/history/index.ts';
import type { References } from './stores/references/index.ts';

export interface KnowledgeAccessors extends TrustAccessors {
  /** Links between things of any store, their sources, verifications and conflicts. */
  graph(): Promise<Graph>;
  /** Answers that were given before, as long as what they rest on is the same. */
  intentCaches(): Promise<IntentCaches<Answer>>;
}

export type KnowledgeParts = Omit<TrustParts, 'graph' | 'intentCaches'> & {
  library: () => Promise<Library>;
  clock: Clock;
  log: Log;
  repository: Repository;
  git: Git;
  directory: () => string;
  code: () => Promise<CodeStore>;
  history: () => Promise<History>;
  memory: () => Promise<Memory>;
  recall: () => Promise<OpenedRecall>;
  references: () => Promise<References>;
  onClose: (work: () => void | Promise<void>) => void;
};

export function knowledgeAccessors(
  parts: KnowledgeParts,
): KnowledgeAccessors & { tellCaches(changed: string[]): void } {
  const { library, clock } = parts;
  const graph = once(async () => {
    const { openGraph } = await import('./stores/graph/index.ts');
    return openGraph({ library: await library(), clock });
  });
  const answersPath = () => join(parts.directory(), 'cache', 'answers.db');
  const intentCaches = once(async () => {
    const [{ createIntentCaches }, { openAnswers }, { answerWorld }] = await Promise.all([
      import('./engines/recall/index.ts'),
      import('./stores/answers/index.ts'),
      import('./answer-world.ts'),
    ]);
    const recall = await parts.recall();
    const caches = createIntentCaches<Answer>({
      answers: openAnswers(answersPath),
      world: answerWorld({ ...parts, graph, code: await parts.code(), passages: recall.parts.passages }),
      clock,
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
    graph,
    intentCaches,
    ...trustAccessors({ ...parts, graph, intentCaches }),
    /** Where nothing was ever kept there is nobody to tell; a failure shows again when somebody looks. */
    tellCaches: (changed) => {
      if (!existsSync(answersPath())) return;
      void intentCaches().then(
        (caches) => caches.filesChanged(changed),
        () => undefined,
      );
    },
  };
}
