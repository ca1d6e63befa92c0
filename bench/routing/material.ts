import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Embedder, StaticEmbedder } from '../../src/base/embedding/index.ts';
import { timeScopeOf } from '../../src/base/text/index.ts';
import { laneNames, nobody } from '../../src/engines/answers/reader/lanes.ts';
import { quickVectors } from '../../src/engines/answers/reader/learned.ts';
import { scoreLanes } from '../../src/engines/answers/reader/rules.ts';
import { laneOf, type RoutingCase, readCases, splits } from './cases.ts';
import type { TrainingMessage } from './training.ts';

/** Time words are read against a fixed day, so that two trainings see the same. */
const day = Date.UTC(2026, 10, 16, 12);

/** All that the router may learn from, by who wrote it or in which voice. None of it judges. */
export function developmentMaterial(): Map<string, RoutingCase[]> {
  const material = new Map([
    ['first messages', splits.flatMap(readCases)],
    ['questions of the intent caches', readCacheQuestions()],
    ['strangers', readCases('strangers')],
  ]);
  for (const each of readCases('practice'))
    material.set(each.source, [...(material.get(each.source) ?? []), each]);
  return material;
}

/** Questions to the three who know, written for the intent caches by somebody who had not seen the router. */
function readCacheQuestions(): RoutingCase[] {
  return ['librarian', 'archivalist', 'academic'].flatMap((agent) => {
    const file = join(import.meta.dirname, '..', 'intent-cache', `${agent}.txt`);
    const cases: RoutingCase[] = [];
    let group = { target: '', intent: '' };
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [mark, , target = '', intent = ''] = line.split(' ');
      if (mark === '==') group = { target, intent };
      else if (line !== '' && !/^[#!~@]/.test(line))
        cases.push({ ...group, verb: 'recall', source: 'cache', text: line });
    }
    return cases;
  });
}

/** The lane's name as the product has it. */
export const laneName = (each: RoutingCase): string => (each.target === nobody ? nobody : laneOf(each));

export async function prepareMessages(
  cases: RoutingCase[],
  embedders: { quick: StaticEmbedder; model: Embedder },
): Promise<TrainingMessage[]> {
  const texts = cases.map(({ text }) => text);
  const quick = await quickVectors(embedders.quick, texts);
  const model = await embedders.model.embed(texts);
  return cases.map((each, at) => ({
    text: each.text,
    lane: laneNames.indexOf(laneName(each)),
    ruled: scoreLanes(each.text, { timeScope: timeScopeOf(each.text, day) }),
    quick: quick[at]!,
    model: model[at]!,
  }));
}

/** Changes when a message or a label does: the weights of the package say by it what they were trained on. */
export const digestOf = (cases: RoutingCase[]): string =>
  createHash('sha256')
    .update(cases.map((each) => `${laneName(each)}\t${each.text}\n`).join(''))
    .digest('hex');
