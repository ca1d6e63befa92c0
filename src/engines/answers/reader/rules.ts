import type { TimeScope } from '../../../base/text/index.ts';
import type { Phase } from './classification.ts';
import cueTable from './cues.json' with { type: 'json' };

/** Signs of a lane in the words that people use. Weights add up; their worth beside other words was learned. */
const cues = cueTable.map((cue) => ({ ...cue, pattern: new RegExp(cue.pattern, 'i') }));

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
export function scoreLanes(text: string, context: { timeScope?: TimeScope | undefined } = {}): LaneScore[] {
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
export function laneOfPhase(phase: Phase, text: string): LaneScore {
  const says = `said during ${phase}`;
  if (phase === 'inspection') return { lane: 'inspector INSPECT', score: 2.7, says };
  if (phase === 'testing') return { lane: 'tester TEST', score: 2.7, says };
  if (phase === 'research') return { lane: 'academic RESEARCH', score: 2.5, says };
  const change =
    /^(?:also|actually|stop|wait|no\b|instead|skip|change|use)/i.test(text) || phase === 'execution';
  return { lane: change ? 'architect CHANGE' : 'architect PLAN', score: 2.2, says };
}
