import type { Embedder, StaticEmbedder } from '../../../base/embedding/index.ts';
import type { Phase, Target } from './classification.ts';
import { lanes, nobody } from './lanes.ts';
import { type Learned, learned, type MessageInput, quickVectors } from './learned.ts';
import { type LaneScore, laneOfPhase } from './rules.ts';

export interface Vectors {
  /** The static table: at hand at once. */
  quick?: (() => Promise<StaticEmbedder | undefined>) | undefined;
  /** The embedding model: better, and slow to start, so there is one only in a process that stays. */
  model?: (() => Promise<Embedder | undefined>) | undefined;
}

export interface Judgement {
  /** `none` when it is for nobody. */
  lane: string;
  /** How probable it is that the target of the lane is the right one. */
  confidence: number;
  method: 'rules' | 'examples';
  reason: string;
}

/** From here on no further vectors are asked for. Chosen on the development messages. */
const settled = 0.9;
/** How sure a phase of work is where no sign in the words speaks against it. */
const sureByPhase = 0.7;
/** What a phase of work and a preference add to a lane, in logarithms of odds. */
const phaseBonus = 2.5;
const preferenceBonus = 1;
/** What a name of the code takes from those who know nothing of this code. */
const namesCode = -2.5;
const codeName =
  /`[^`\n]+`|\b\p{Ll}+\p{Lu}[\p{L}\p{N}]*|\b\p{Lu}\p{Ll}+\p{Lu}[\p{L}\p{N}]*|[\p{L}\p{N}]_[\p{L}\p{N}]|[\p{L}\p{N}_]\(\)|\/[\w.-]+\.\w{1,4}\b/u;

/**
 * Who a message is for: what the rules say of it and all its words, weighed together as labelled messages taught it; then,
 * while that leaves doubt, its vectors too.
 */
export function createJudge({ quick, model }: Vectors, weights: () => Learned = learned) {
  /** Without weights, or with a model that fails, the words decide alone. */
  const vectorOf = {
    quick: async (text: string): Promise<Float32Array | undefined> => {
      const embedder = await quick?.();
      return embedder && (await quickVectors(embedder, [text]))[0];
    },
    model: async (text: string): Promise<Float32Array | undefined> =>
      (await (await model?.())?.embed([text]))?.[0],
  };

  const judge = async (
    text: string,
    ruled: LaneScore[],
    context: { phase?: Phase | undefined; prefer?: Target | undefined } = {},
  ): Promise<Judgement> => {
    const phase = context.phase && laneOfPhase(context.phase, text);
    if (phase && (ruled[0]?.score ?? 0) < phase.score)
      return { lane: phase.lane, confidence: sureByPhase, method: 'rules', reason: phase.says };
    const bonus = bonusFor(phase?.lane, context.prefer);
    if (codeName.test(text) && lanes[ruled[0]?.lane ?? '']?.target !== 'academic')
      for (const lane of strangersToCode) bonus.set(lane, (bonus.get(lane) ?? 0) + namesCode);
    if (asksForReason.test(text)) bonus.set(place, (bonus.get(place) ?? 0) + reasonForPlace);
    const { probabilities } = weights();
    let input: MessageInput = { text, ruled };
    let best = mostProbable(probabilities(input, bonus));
    for (const form of ['quick', 'model'] as const) {
      if (best.confidence >= settled) break;
      const vector = await vectorOf[form](text).catch(() => undefined);
      if (!vector) break;
      input = { ...input, [form]: vector };
      best = mostProbable(probabilities(input, bonus));
    }
    return { ...best, ...explain(best.lane, [ruled[0], phase]) };
  };

  /** What is wanted of a target that is given. */
  const laneWithin = (target: Target, text: string, ruled: LaneScore[]): string | undefined => {
    const own = [...weights().probabilities({ text, ruled })].filter(
      ([lane]) => lanes[lane]?.target === target,
    );
    return own.sort(([, left], [, right]) => right - left)[0]?.[0];
  };

  return { judge, laneWithin };
}

/** A why-question needs a rationale: don't route it to LOCATE. */
const asksForReason = /^\W*(?:why|how come)\b/i;
const reasonForPlace = -2.5;
const place = 'librarian LOCATE';

const strangersToCode = [
  nobody,
  ...Object.entries(lanes).flatMap(([lane, { target }]) => (target === 'academic' ? [lane] : [])),
];

function bonusFor(laneOfPhase: string | undefined, prefer: Target | undefined): Map<string, number> {
  const bonus = new Map<string, number>();
  if (prefer)
    for (const [lane, { target }] of Object.entries(lanes))
      if (target === prefer) bonus.set(lane, preferenceBonus);
  if (laneOfPhase) bonus.set(laneOfPhase, (bonus.get(laneOfPhase) ?? 0) + phaseBonus);
  return bonus;
}

/** The target with most of the probability, and its most probable lane. */
function mostProbable(probabilities: Map<string, number>): { lane: string; confidence: number } {
  const byTarget = new Map<string, { lane: string; most: number; confidence: number }>();
  for (const [lane, probability] of probabilities) {
    const target = lanes[lane]?.target ?? nobody;
    const known = byTarget.get(target) ?? { lane, most: 0, confidence: 0 };
    const most = Math.max(known.most, probability);
    byTarget.set(target, {
      lane: probability > known.most ? lane : known.lane,
      most,
      confidence: known.confidence + probability,
    });
  }
  const [best] = [...byTarget.values()].sort((left, right) => right.confidence - left.confidence);
  return { lane: best?.lane ?? nobody, confidence: best?.confidence ?? 0 };
}

/** The rules' first choice says why itself, and so does the phase of work; otherwise all words decided together. */
function explain(lane: string, signs: Array<LaneScore | undefined>): Pick<Judgement, 'method' | 'reason'> {
  const sign = signs.find((each) => each?.lane === lane);
  if (sign) return { method: 'rules', reason: sign.says };
  return { method: 'examples', reason: lanes[lane]?.reads ?? 'unrelated to this project' };
}
