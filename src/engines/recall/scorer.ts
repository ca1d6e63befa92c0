import type { ScorePart, Signals } from './source.ts';
import table from './weights.json' with { type: 'json' };
import { type Curve, curveAt, type Weights } from './weights.ts';

export interface Scored {
  score: number;
  parts: ScorePart[];
}

/** A weighted sum that can be shown: the parts add up to the score. A signal that another store adds counts as much as a good one. */
export function score(signals: Signals, weights: Weights): Scored {
  const parts: ScorePart[] = [];
  let sum = 0;
  for (const [signal, value] of Object.entries(signals)) {
    if (!value) continue;
    const points = pointsOf(weights[signal] ?? 0.3, value);
    sum += points;
    parts.push({ signal, value: round(value), weight: round(points / value), points: round(points) });
  }
  parts.sort((left, right) => Math.abs(right.points) - Math.abs(left.points));
  return { score: sum, parts };
}

export function pointsOf(weight: number | Curve, value: number): number {
  if (typeof weight === 'number') return weight * value;
  let [from, low] = [0, 0];
  for (const [at, to] of curveAt.entries()) {
    const high = weight[at] ?? low;
    if (value <= to) return low + ((value - from) / (to - from)) * (high - low);
    [from, low] = [to, high];
  }
  return low;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Divides each signal by the best of this question, so that no signal counts by its unit. */
export function normaliseSignals(all: Iterable<Signals>): void {
  const best: Signals = {};
  const kept = [...all];
  for (const signals of kept)
    for (const [name, value] of Object.entries(signals)) best[name] = Math.max(best[name] ?? 0, value);
  for (const signals of kept)
    for (const [name, value] of Object.entries(signals)) signals[name] = value / (best[name] || 1);
}

const standing = /_standing$/;

/**
 * How far in front a candidate is by one signal, for the signals whose standing counts: 1 for the first, a half for the
 * sixth. A value says how good, the standing how much better than the others.
 */
export function addStandings(all: Signals[], weights: Weights): void {
  for (const name of Object.keys(weights)) {
    const signal = name.replace(standing, '');
    if (signal === name) continue;
    const having = all.filter((signals) => (signals[signal] ?? 0) > 0);
    const strengthOf = (signals: Signals | undefined): number => signals?.[signal] ?? 0;
    having.sort((left, right) => strengthOf(right) - strengthOf(left));
    let place = 0;
    for (const [at, signals] of having.entries()) {
      if (at > 0 && strengthOf(signals) < strengthOf(having[at - 1])) place = at;
      signals[name] = 1 / (1 + place / 5);
    }
  }
}

const phrases: Record<string, string> = table.phrases;

/** One line for people and models: the two signals that counted most, each with its standing. */
export function reasonOf(parts: ScorePart[]): string {
  const points = new Map<string, number>();
  for (const part of parts) {
    const signal = part.signal.replace(standing, '');
    points.set(signal, (points.get(signal) ?? 0) + part.points);
  }
  const best = [...points].filter(([, sum]) => sum > 0).sort(([, left], [, right]) => right - left);
  if (best.length === 0) return 'nothing else came closer';
  return best
    .slice(0, 2)
    .map(([signal]) => phrases[signal] ?? signal.replaceAll('_', ' '))
    .join('; ');
}
