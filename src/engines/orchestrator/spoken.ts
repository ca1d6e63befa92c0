import type { Command, Move } from '../../stores/runs/index.ts';
import { type RunState, runHasEnded } from './decide/index.ts';

/** What a person's plain words are for a run: a move, an answer to what it asks, or a question about it. */
export type Spoken =
  | { move: Move }
  | { answer: { command: string; choice: string; text: string } }
  | { tell: 'standing' | 'plan' | 'findings' };

const polite = '(?:please |ok(?:ay)?,? |now |then )*';
const sign = (words: string) => new RegExp(`^${polite}(?:${words})\\b`, 'i');
const signs = {
  yes: sign('yes|ok(?:ay)?|approved?|looks good|lgtm|go ahead|do it|start|proceed|sounds good'),
  halt: sign('stop|halt|pause|wait|hold'),
  resume: sign('resume|continue|go on|carry on|proceed'),
  fix: sign('fix|correct|repair|mend|yes|go ahead'),
  leave: sign('ignore|override|skip|leave|accept|never mind'),
  question: sign('why|what|how|explain|show|which|where|who|when|is|are|does|tell me|describe|list'),
};

/** In which part of the work a run is, as whoever reads messages calls it. */
export function phaseOfRun(state: RunState): 'planning' | 'execution' | 'inspection' | 'testing' | undefined {
  if (runHasEnded(state)) return undefined;
  if (state.proposal) return 'planning';
  const words = { plan: 'planning', execute: 'execution', inspect: 'inspection', test: 'testing' } as const;
  return state.phase === 'summary' || state.phase === 'done' ? undefined : words[state.phase];
}

/** A few words that mean one thing to a run that waits or works, whoever else they could be for: "continue", "stop", "looks good". */
export function isPlainWord(state: RunState, said: string): boolean {
  const text = said.trim();
  if (text.endsWith('?') || text.split(/\s+/).length > 3) return false;
  const isHalted = state.status === 'stopped' || state.status === 'suspended';
  if (isHalted) return signs.resume.test(text);
  return signs.halt.test(text) || (state.proposal !== undefined && signs.yes.test(text));
}

/**
 * Reads plain words by what the run waits for: a plan, a question, findings, nothing. Words that are none of the known ones change the plan,
 * or answer an engineer who has asked.
 */
export function readSpoken(state: RunState, said: string): Spoken {
  const text = said.trim();
  const { proposal, status, open } = state;
  const isQuestion = text.endsWith('?') || signs.question.test(text);
  if (signs.halt.test(text) && (status === 'running' || status === 'planning' || status === 'proposed'))
    return { move: { type: 'stopped', message: text } };
  if (status === 'stopped' || status === 'suspended')
    if (signs.resume.test(text)) return { move: { type: 'resumed' } };
  if (proposal) {
    if (isQuestion) return { tell: 'plan' };
    const { revision, purpose } = proposal;
    if (purpose === 'tests' && signs.leave.test(text)) return { move: { type: 'plan_rejected', revision } };
    return signs.yes.test(text)
      ? { move: { type: 'plan_approved', revision, start: true } }
      : { move: { type: 'plan_rejected', revision, message: text } };
  }
  if (status === 'approved' && signs.yes.test(text)) return { move: { type: 'started' } };
  const asks = open.filter(({ kind }) => kind === 'ask');
  const [ask] = asks;
  if (ask && asks.length === 1) {
    const choice = choiceOf(ask, text);
    const words = text.replace(new RegExp(`^${choice}\\s*`, 'i'), '');
    if (choice) return { answer: { command: ask.id, choice, text: words } };
    if (isQuestion) return { tell: 'findings' };
    // A question of an engineer or the Architect is answered by any words.
    const takesWords = (ask.options ?? []).length === 0 || ask.options?.includes('answer');
    if (takesWords) return { answer: { command: ask.id, choice: 'answer', text } };
  }
  if (isQuestion) return { tell: 'standing' };
  return { move: { type: 'change_requested', message: text } };
}

/** The option that the words begin with, or mean. */
function choiceOf({ options = [] }: Command, text: string): string | undefined {
  const [first = ''] = text.toLowerCase().split(/\s/, 1);
  const said = options.find((option) => option === first || option.startsWith(`${first}_`));
  if (said) return said;
  const meant = options.filter(
    (option) =>
      (signs.leave.test(text) && option.startsWith('ignore')) ||
      (signs.fix.test(text) && option === 'fix') ||
      (signs.yes.test(text) && option === 'approve'),
  );
  return meant.length === 1 ? meant[0] : undefined;
}
