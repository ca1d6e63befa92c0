import type { TimeScope } from '../../../base/text/index.ts';
import type { Phase } from './classification.ts';
import { cues, lanes } from './cues.ts';

/** How much speaks for a lane, and why. */
export interface LaneScore {
  lane: string;
  score: number;
  says: string;
}

const past =
  /\b(?:did|was|were|had|have we|has been|previously|formerly|back then|last time|used to|we (?:used|did|had|chose|picked|tried))\b/i;
/** A piece of work that is talked about in the present: "what do we do", "is there". */
const ours = /\b(?:we|our|us|ours|here|this (?:repo|repository|project|code ?base))\b/i;

/**
 * Who a message is for, by the signs in its words. Tense decides between the code as it is and what was: a pattern asked
 * for in the past, or over a time, is history.
 */
export function scoreLanes(
  text: string,
  context: { timeScope?: TimeScope | undefined; phase?: Phase | undefined } = {},
): LaneScore[] {
  const scores = new Map<string, LaneScore>();
  const add = (lane: string, score: number, says: string) => {
    const known = scores.get(lane);
    if (known) known.score += score;
    else scores.set(lane, { lane, score, says });
  };
  for (const { lane, weight, says, pattern } of cues) if (pattern.test(text)) add(lane, weight, says);
  const told = ['store', 'declare', 'complete'].some((verb) => scores.has(`archivalist ${verb}`));
  const asked =
    text.trim().endsWith('?') ||
    /^(?:how|what|where|why|who|which|when|did|was|were|has|have|is|are|do|does)\b/i.test(text);
  if (!told && (past.test(text) || context.timeScope)) toThePast(scores, add, asked, context.timeScope);
  if (ours.test(text)) weaken(scores, 'academic RESEARCH', 0.8);
  else if (scores.has('academic RESEARCH') && !/\b(?:the|this|that)\b/i.test(text))
    add('academic RESEARCH', 1, 'names nothing of this code');
  if (asked)
    for (const lane of ['architect PLAN', 'designer DESIGN', 'architect CHANGE']) weaken(scores, lane, 0.6);
  if (context.phase) add(...laneOfPhase(context.phase, text));
  return [...scores.values()].sort((left, right) => right.score - left.score);
}

function toThePast(
  scores: Map<string, LaneScore>,
  add: (lane: string, score: number, says: string) => void,
  asked: boolean,
  timeScope: TimeScope | undefined,
) {
  const pattern = scores.get('librarian PATTERN');
  if (pattern) {
    add('archivalist HISTORICAL', pattern.score + 1, 'asks how things were done');
    scores.delete('librarian PATTERN');
  }
  for (const lane of scores.keys())
    if (/^(?:librarian|tester|inspector)/.test(lane)) weaken(scores, lane, 0.6);
  if (asked) add('archivalist HISTORICAL', 1, 'asks in the past tense');
  if (asked && timeScope) add('archivalist ACTIVITY', 1.5, `asks about ${timeScope.phrase}`);
}

function weaken(scores: Map<string, LaneScore>, lane: string, factor: number) {
  const known = scores.get(lane);
  if (known) known.score *= factor;
}

/** While findings or tests are being talked about, whoever presents them is spoken to, unless it is plainly another. */
function laneOfPhase(phase: Phase, text: string): [string, number, string] {
  if (phase === 'inspection') return ['inspector INSPECT', 2.7, 'said during inspection'];
  if (phase === 'testing') return ['tester TEST', 2.7, 'said during testing'];
  if (phase === 'research') return ['academic RESEARCH', 2.5, 'said during research'];
  const change =
    /^(?:also|actually|stop|wait|no\b|instead|skip|change|use)/i.test(text) || phase === 'execution';
  return [change ? 'architect CHANGE' : 'architect PLAN', 2.2, `said during ${phase}`];
}

/** The best lane with how sure it is: by its own weight, and by how far the next target is behind. */
export function decide(scores: LaneScore[]): { lane: string; confidence: number; says: string } | undefined {
  const [best] = scores;
  if (!best) return undefined;
  const target = lanes[best.lane]!.target;
  const rival = scores.find(({ lane }) => lanes[lane]!.target !== target)?.score ?? 0;
  const strength = Math.min(1, best.score / 3.5);
  const lead = Math.min(1, (best.score - rival) / 2.5);
  return { lane: best.lane, confidence: 0.35 + 0.35 * strength + 0.28 * lead * strength, says: best.says };
}
