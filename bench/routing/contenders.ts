import { createHash } from 'node:crypto';
import { fixedClock } from '../../src/base/clock.ts';
import type { Embedder, StaticEmbedder } from '../../src/base/embedding/index.ts';
import { type ClassifyingModel, createReader } from '../../src/engines/answers/reader/index.ts';
import { byBm25, byRules, byTriggers, type Guess } from './baselines.ts';
import { laneOf, type RoutingCase } from './cases.ts';
import { developmentMaterial, laneName } from './material.ts';
import type { Judged } from './measure.ts';

export interface Run {
  what: string;
  targets: Judged[];
  lanes: Judged[];
  verbs: Judged[];
  /** Decisions by tier. */
  methods: Record<string, number>;
}

const targetOf = (lane: string): string => lane.split(' ')[0]!;

export function runBaseline(what: string, guess: Guess, cases: RoutingCase[]): Run {
  const lanes = cases.map((each) => ({ right: laneName(each), guessed: guess(each.text), confidence: 1 }));
  const targets = lanes.map(({ right, guessed }) => ({
    right: targetOf(right),
    guessed: targetOf(guessed),
    confidence: 1,
  }));
  return { what, lanes, targets, verbs: [], methods: {} };
}

export const baselines = (cases: RoutingCase[]): Run[] => [
  runBaseline('trigger phrases of the design', byTriggers, cases),
  runBaseline('BM25, nearest labelled message', byBm25([...developmentMaterial().values()].flat()), cases),
  runBaseline('rules alone', byRules, cases),
];

export async function runClassifier(
  what: string,
  cases: RoutingCase[],
  parts: { quick?: StaticEmbedder; vectors?: Embedder | undefined; model?: ClassifyingModel },
): Promise<Run> {
  const { quick, vectors, model } = parts;
  const classifier = createReader({
    clock: fixedClock(),
    quick: async () => quick,
    model: async () => vectors,
  });
  const run: Run = { what, targets: [], lanes: [], verbs: [], methods: {} };
  for (const each of cases) {
    const found = await classifier.read(each.text, model ? { model } : {});
    const { confidence, method } = found;
    const guessed = found.unsure ? 'none' : laneOf(found);
    run.lanes.push({ right: laneName(each), guessed, confidence });
    run.targets.push({ right: each.target, guessed: targetOf(guessed), confidence });
    if (each.target !== 'none') run.verbs.push({ right: each.verb, guessed: found.verb, confidence });
    run.methods[method] = (run.methods[method] ?? 0) + 1;
  }
  return run;
}

/** A model that knows the answer nine times of ten, by the hash of the text; the tenth time it says EXPLAIN. */
export function scriptedModel(cases: RoutingCase[]): ClassifyingModel {
  const known = new Map(cases.map((each) => [each.text, each]));
  return async ({ text }) => {
    const right = known.get(text);
    const lucky = createHash('sha256').update(text).digest()[0]! % 10 !== 0;
    if (!right || !lucky) return '{"target": "librarian", "intent": "EXPLAIN", "confidence": 0.6}';
    return JSON.stringify({ ...right, confidence: 0.9 });
  };
}
