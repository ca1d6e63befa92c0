import type { Clock } from '../base/clock.ts';
import type { Library } from '../base/library/index.ts';
import { idOf, isRefOf } from '../base/ref.ts';
import { createKnowledge, type Knowledge } from '../engines/knowledge/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import { type OpenedRecall, searchAll } from '../engines/recall/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { Graph } from '../stores/graph/index.ts';
import type { History } from '../stores/history/index.ts';
import type { References } from '../stores/references/index.ts';
import type { Work } from '../stores/work/index.ts';

export interface KnowledgeStores {
  library: () => Promise<Library>;
  clock: Clock;
  graph: () => Promise<Graph>;
  memory: () => Promise<Memory>;
  code: () => Promise<CodeStore>;
  history: () => Promise<History>;
  references: () => Promise<References>;
  work: () => Promise<Work>;
  recall: () => Promise<OpenedRecall>;
  /** Whatever was answered may repeat what was forgotten. */
  forgetAnswers: () => Promise<unknown>;
}

/** Introduces links to the stores behind their refs. */
export async function openKnowledge(parts: KnowledgeStores): Promise<Knowledge> {
  const { clock, code, history, references, work, recall } = parts;
  const { chronicle } = await parts.memory();
  const stores = { library: await parts.library(), graph: await parts.graph(), chronicle, clock };
  return createKnowledge({
    ...stores,
    code,
    history,
    references,
    work,
    searchCode: async (question, { limit, path }) => {
      const opened = await recall();
      await opened.ready({ waitMs: 5000, domains: ['code'] });
      const options = { domains: ['code' as const], limitPerDomain: limit, maxTokens: 20_000 };
      const { results } = await searchAll(opened, question, path ? { ...options, path } : options);
      return results
        .flatMap(({ results: found }) => found)
        .map(({ ref, path: at, score }) => ({ ref, path: at ?? ref.replace(/^file:/, ''), score }));
    },
    forgotten: async ({ refs, titles, messages, session }) => {
      await parts.forgetAnswers();
      const { openMessages } = await import('../stores/messages/index.ts');
      const { sessions } = await parts.memory();
      await openMessages({ library: stores.library, clock }).erase({ ids: messages, session });
      await sessions.forgetTexts({
        texts: titles,
        ids: [...refs.map((ref) => ref.slice(ref.indexOf(':') + 1)), ...messages],
      });
      if (session) await sessions.forgetSession(session);
      // Words and vectors of what was shared stand in the index, too.
      const entries = refs.filter((ref) => isRefOf(ref, 'entry')).map((ref) => idOf(ref));
      if (entries.length > 0) (await recall()).erase('chronicle', entries);
    },
  });
}
