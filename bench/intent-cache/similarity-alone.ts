import { type Embedder, similarity } from '../../src/base/embedding/index.ts';
import { subjectKey, subjectOf } from '../../src/base/text/index.ts';
import type { Group } from './questions.ts';

export interface Alone {
  hits: number;
  tries: number;
  wrong: number;
  nearMisses: number;
}

/** What a cache gives that knows the intent and nothing but how near two vectors are. Time, session and branch are left out. */
export async function similarityAlone(
  groups: Group[],
  embedder: Embedder,
  threshold: number,
): Promise<Alone> {
  const vector = async (text: string) => (await embedder.embed([text]))[0]!;
  const kept = await Promise.all(
    groups.map(async (group) => ({ group, vector: await vector(group.questions[0]!) })),
  );
  return tryAll(groups, async (text, asker) => {
    const own = await vector(text);
    const near = kept
      .filter(({ group }) => group.agent === asker.agent && group.intent === asker.intent)
      .map((each) => ({ name: each.group.name, nearness: similarity(own, each.vector) }))
      .sort((a, b) => b.nearness - a.nearness)[0];
    return near && near.nearness >= threshold ? near.name : undefined;
  });
}

/** What a cache gives that is keyed by intent and extracted subject, as the design draws it. */
export async function subjectAlone(groups: Group[]): Promise<Alone> {
  const key = (text: string, { agent, intent }: Group) => `${agent} ${intent} ${subjectKey(subjectOf(text))}`;
  const kept = new Map(groups.map((group) => [key(group.questions[0]!, group), group.name]));
  return tryAll(groups, async (text, asker) => kept.get(key(text, asker)));
}

async function tryAll(
  groups: Group[],
  find: (text: string, asker: Group) => Promise<string | undefined>,
): Promise<Alone> {
  const total: Alone = { hits: 0, tries: 0, wrong: 0, nearMisses: 0 };
  for (const group of groups) {
    for (const text of group.questions.slice(1)) {
      total.tries++;
      const found = await find(text, group);
      if (found === group.name) total.hits++;
      else if (found) total.wrong++;
    }
    for (const { kind, text } of group.nearMisses) {
      if (kind !== 'subject') continue;
      total.nearMisses++;
      if (await find(text, group)) total.wrong++;
    }
  }
  return total;
}
