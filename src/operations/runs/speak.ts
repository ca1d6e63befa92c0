import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { findOpenRun, type RunState, readSpoken } from '../../engines/orchestrator/index.ts';
import { isPersonSpeaking, type OperationContext } from '../operation.ts';
import { renderRun, runView, viewRun } from './view.ts';

/** The run that plain words are about: the one of the session, or the only one that goes on. */
export async function runSpokenOf(
  { app }: Pick<OperationContext, 'app'>,
  session: string,
): Promise<RunState | undefined> {
  const runs = await app.runs();
  const id = await findOpenRun(runs, session);
  return id === undefined ? undefined : runs.state(id);
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
    await runs.answer(command, { result: 'answered', choice, text: words });
  }
  const after = await runs.state(state.run);
  const standing = renderRun(runView.parse(await viewRun(app, after)));
  const nodes = after.proposal?.plan.nodes ?? [];
  if ('tell' in spoken && spoken.tell === 'plan')
    return [
      standing,
      ...nodes.map(
        ({ id, agent, prompt, depends_on }) =>
          `  ${id} (${agent})${depends_on.length > 0 ? ` after ${depends_on.join(', ')}` : ''}: ${prompt}`,
      ),
    ].join('\n');
  return 'tell' in spoken && spoken.tell === 'findings' && after.findings
    ? `${standing}\n${after.findings}`
    : standing;
}
