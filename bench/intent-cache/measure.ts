import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedClock } from '../../src/base/clock.ts';
import { createStaticEmbedder } from '../../src/base/embedding/index.ts';
import { type CacheQuestion, type CurrentState, createAnswerCache } from '../../src/engines/answers/index.ts';
import { openAnswers } from '../../src/stores/answers/index.ts';
import type { Group } from './questions.ts';

type Classified = Pick<CacheQuestion, 'agent' | 'intent' | 'subject' | 'confidence' | 'timeScope'>;
/** What the Guide would hand over. */
export type Classify = (text: string, group: Group, now: number) => Promise<Classified>;

export interface Measured {
  group: Group;
  hits: number;
  tries: number;
  /** Answers of another group, or given where they must not be. */
  wrong: string[];
  nearMisses: number;
  missed: string[];
}

/** A current in which every group has a file of its own, and branch b holds other bytes. */
function labWorld() {
  let branch = '';
  const current: CurrentState = {
    generation: () => branch,
    files: (paths) => new Map(paths.map((path) => [path, branch])),
    directory: () => branch,
    places: () => branch,
    refs: async (refs) => new Map(refs.map((ref) => [ref, ''])),
    version: async () => '1',
    head: async () => branch || 'a',
    reaches: async (commit) => commit === (branch || 'a'),
    overlay: () => branch,
  };
  const on = (name: string) => {
    branch = name;
  };
  return { current, on };
}

/** Keeps the first question of each group, asks all others, then every near miss. */
export async function measure(groups: Group[], classify: Classify): Promise<Measured[]> {
  const directory = await mkdtemp(join(tmpdir(), 'intent-cache-'));
  const embedder = createStaticEmbedder();
  const { current, on } = labWorld();
  const clock = fixedClock();
  const caches = createAnswerCache({
    answers: openAnswers(() => join(directory, 'answers.db')),
    current,
    clock,
    embed: async (text) => ({ vector: (await embedder.embed([text]))[0]!, maker: embedder.fingerprint }),
  });
  const questionOf = async (text: string, group: Group, session = 'a'): Promise<CacheQuestion> => ({
    text,
    ...(await classify(text, group, clock.now())),
    viewer: { session, seesAll: false },
  });
  /** Another group may ask just that; its answer is the right one then. */
  const isMember = (name: string, text: string) =>
    groups.some((each) => each.name === name && each.questions.includes(text));

  const ask = async (group: Group): Promise<Measured> => {
    const found: Measured = {
      group,
      hits: 0,
      tries: 0,
      wrong: [],
      nearMisses: group.nearMisses.length,
      missed: [],
    };
    for (const text of group.questions.slice(1)) {
      const looked = await caches.look<string>(await questionOf(text, group));
      found.tries++;
      if (looked.hit && looked.answer === group.name) found.hits++;
      else if (looked.hit) found.wrong.push(`${text} → ${looked.answer}`);
      else found.missed.push(text);
    }
    for (const { kind, text } of group.nearMisses) {
      on(kind === 'branch' ? 'b' : '');
      const looked = await caches.look<string>(await questionOf(text, group, kind === 'session' ? 'b' : 'a'));
      const elsewhere = kind === 'session' || kind === 'branch';
      if (looked.hit && (elsewhere || !isMember(looked.answer, text)))
        found.wrong.push(`${kind}: ${text} → ${looked.answer} (${looked.asked})`);
      on('');
    }
    return found;
  };

  try {
    for (const group of groups) {
      const isPrivate = group.nearMisses.some((each) => each.kind === 'session');
      await caches.keep(await caches.mark(await questionOf(group.questions[0]!, group)), {
        answer: group.name,
        empty: false,
        evidence: { files: [`src/${group.name}.ts`], refs: isPrivate ? [`entry:${group.name}`] : [] },
        tokens: 1,
      });
    }
    const measured: Measured[] = [];
    for (const group of groups) measured.push(await ask(group));
    return measured;
  } finally {
    caches.close();
    await embedder.release();
    rmSync(directory, { recursive: true, force: true });
  }
}

export const sumOf = (measured: Measured[]) => ({
  hits: measured.reduce((sum, each) => sum + each.hits, 0),
  tries: measured.reduce((sum, each) => sum + each.tries, 0),
  nearMisses: measured.reduce((sum, each) => sum + each.nearMisses, 0),
  wrong: measured.flatMap((each) => each.wrong.map((text) => `${each.group.name}: ${text}`)),
});

export function describeRates(measured: Measured[]): string[] {
  const line = (name: string, some: Measured[]) => {
    const { hits, tries, nearMisses, wrong } = sumOf(some);
    const rate = `${hits}/${tries} = ${((100 * hits) / Math.max(1, tries)).toFixed(1)} %`;
    return `${name.padEnd(24)} ${rate.padStart(18)}   ${nearMisses} near misses, ${wrong.length} wrong`;
  };
  const intents = [...new Set(measured.map(({ group }) => `${group.agent} ${group.intent}`))];
  return [
    line('all', measured),
    line(
      'looked at while built',
      measured.filter(({ group }) => group.tuned),
    ),
    line(
      'held out',
      measured.filter(({ group }) => !group.tuned),
    ),
    ...intents.map((intent) =>
      line(
        intent,
        measured.filter(({ group }) => `${group.agent} ${group.intent}` === intent),
      ),
    ),
    ...sumOf(measured).wrong.map((text) => `WRONG ${text}`),
  ];
}
