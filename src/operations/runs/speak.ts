import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import {
  findOpenRun,
  isPlainWord,
  openRuns,
  type RunState,
  readSpoken,
} from '../../engines/orchestrator/index.ts';
import type { Command } from '../../stores/runs/index.ts';
import { isPersonSpeaking, type OperationContext } from '../operation.ts';
import { explainRun, showPlan } from './ask-architect.ts';
import { renderRun, runView, viewRun } from './view.ts';
import { choiceOf } from './workers.ts';

/** Runs that words can be about: the one of the session, or all that go on or wait. */
export async function runsSpokenOf(
  { app }: Pick<OperationContext, 'app'>,
  session: string,
): Promise<RunState[]> {
  const runs = await app.runs();
  const own = await findOpenRun(runs, session);
  const ids = own === undefined ? (await openRuns(runs)).map(({ id }) => id) : [own];
  return Promise.all(ids.slice(0, mostOpen).map((id) => runs.state(id)));
}
const mostOpen = 20;

const longWords = (text: string): string[] => text.toLowerCase().match(/[a-z]{4,}/g) ?? [];

const aboutRun =
  /\b(?:runs?|running|plans?|planned|nodes?|engineers?|agents?|team|findings?|inspector|tester|progress|status|standing|budget|cost|finished|done|left|taking|so long|how far|how long|stuck|waiting|waits|happening|going on)\b/i;

/**
 * Whether words are for the run. A question or a note that the memory understands is the memory's, also while a run waits: only a plain
 * move ("looks good", "stop"), words about runs, and the answer to an engineer's question are the run's.
 */
export function isForRun(run: RunState, said: string, isForMemory: boolean): boolean {
  if (isPlainWord(run, said) || !isForMemory) return true;
  const isQuestion = /\?\s*$|^(?:where|what|why|who|how|which|when)\b/i.test(said.trim());
  if (aboutRun.test(said)) return isQuestion;
  const asked = run.open.filter(({ kind }) => kind === 'ask');
  const told = new Set([run.findings ?? '', ...asked.map(({ message = '' }) => message)].flatMap(longWords));
  if (longWords(said).some((word) => told.has(word))) return true;
  return !isQuestion && asked.length === 1 && (asked[0]?.options ?? []).length === 0;
}

/** Does what a person's words mean for a run, and says how it stands then. */
export async function speakToRun(context: OperationContext, state: RunState, text: string): Promise<string> {
  const { app, caller } = context;
  const runs = await app.runs();
  const spoken = readSpoken(state, text);
  if (!('tell' in spoken) && !isPersonSpeaking(caller))
    throw new SylkError('DENIED', `Only a person decides about ${state.run}.`, {
      hint: `Ask the person, or leave a word for the engineers: sylk run message ${state.run} "…".`,
    });
  if ('move' in spoken) await runs.move(state.run, spoken.move, newId('move'));
  if ('answer' in spoken) {
    const { command, choice, text: words } = spoken.answer;
    const said =
      choice === 'answer' ? await readAnswer(runs, {}, { run: state.run, answer: words }) : undefined;
    await runs.answer(command, { result: 'answered', choice, text: words, ...said });
  }
  const after = await runs.state(state.run);
  const standing = renderRun(runView.parse(await viewRun(app, after)));
  if (!('tell' in spoken)) return standing;
  const { architect: model } = await choiceOf(app, state.session);
  const said = await explainRun(context, after, { question: text, standing, model });
  if (said !== undefined) return `${said}\n\n${standing}`;
  const { plan } = after.proposal ?? {};
  if (spoken.tell === 'plan' && plan) return `${standing}\n${showPlan(plan)}`;
  return spoken.tell === 'findings' && after.findings ? `${standing}\n${after.findings}` : standing;
}

/** `raise 2.50` raises the budget, whoever asks for it: the run, or a node whose next call does not fit. */
export async function readAnswer(
  runs: Awaited<ReturnType<App['runs']>>,
  { options = [] }: Pick<Command, 'options'>,
  { run: id, answer }: { run: string; answer: string },
): Promise<{ choice: string; text: string }> {
  const [choice = '', ...words] = answer.split(' ');
  if (options.includes(choice)) return { choice, text: words.join(' ') };
  const dollars = /^raise (?:to )?\$?(\d+(?:\.\d+)?)$/.exec(answer)?.[1];
  if (dollars === undefined) return { choice: 'answer', text: answer };
  await runs.move(id, { type: 'budget_raised', budget: Number(dollars) }, newId('move'));
  return { choice: 'answer', text: `The budget is $${dollars} now. Go on.` };
}
