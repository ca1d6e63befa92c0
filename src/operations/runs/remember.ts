import type { App } from '../../app.ts';
import { type RunState, runHasEnded } from '../../engines/orchestrator/index.ts';
import { readRun } from '../../engines/pipelines/index.ts';
import { learnFromRun } from './learn.ts';

/** A run that has ended leaves one entry that every session can read: what was wanted, what became of it, and where it is. */
export async function rememberRun(app: App, state: RunState): Promise<void> {
  if (!runHasEnded(state)) return;
  const memory = await app.memory();
  const session = await memory.sessions.find(state.session);
  const told = `${state.status} ${state.number}`;
  if (!session || session.metadata['remembered'] === told) return;
  const result = await readRun({ git: app.git, transcripts: await app.transcripts() }, state);
  const { nodes, files, branch } = result;
  const [title = ''] = state.prompt.split('\n');
  const isDone = state.status === 'completed';
  await memory.remember({
    session_id: state.session,
    category: isDone ? 'insight' : 'failure',
    title: `Run ${isDone ? 'completed' : state.status}: ${title.slice(0, 120)}`,
    content: [
      `${state.prompt.slice(0, 2000)}`,
      ...nodes.map(
        ({ id, stage, output, error }) => `${id}: ${stage}. ${(output || error || '').slice(0, 400)}`,
      ),
      ...(branch ? [`Branch ${branch}.`] : []),
      ...(state.error && !isDone ? [`It ended with: ${state.error.slice(0, 1000)}`] : []),
      ...state.deferred.map((text) => `Left for later: ${text.slice(0, 400)}`),
    ].join('\n'),
    source: 'orchestrator',
    source_kind: 'agent',
    shared: true,
    tags: ['run', state.status],
    refs: files.slice(0, 40).map((path) => `modified:${path}`),
    metadata: { run: state.run, outcome: state.status },
  });
  await learnFromRun(app, state, result);
  await memory.sessions.change(state.session, ({ metadata }) => ({
    metadata: { ...metadata, remembered: told },
  }));
}

/** The session of a run knows that it is going on: it is not suspended for being idle. */
export async function markSession(app: App, { run, session, ...state }: RunState): Promise<void> {
  const { sessions } = await app.memory();
  if (!(await sessions.find(session))) return;
  const isOver = runHasEnded({ run, session, ...state });
  await sessions.change(session, ({ dag_history }) => ({
    active_dag_id: isOver ? '' : run,
    dag_history: dag_history.includes(run) ? dag_history : [...dag_history, run],
  }));
}
