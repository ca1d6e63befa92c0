import type { App } from '../../app.ts';
import { messageOf } from '../../base/errors.ts';
import type { Memory } from '../../engines/memory/index.ts';
import type { RunState } from '../../engines/orchestrator/index.ts';
import type { TeamResult } from '../../engines/pipelines/index.ts';
import { showPlan } from './ask-architect.ts';

type NodeOfRun = RunState['nodes'][number];
interface Ended {
  memory: Memory;
  state: RunState;
  result: TeamResult;
  isDone: boolean;
}

/** What a run that has ended leaves for later work, beside its own entry. A part that can't be stored leaves the others. */
export async function learnFromRun(app: App, state: RunState, result: TeamResult): Promise<void> {
  const ended = { memory: await app.memory(), state, result, isDone: state.status === 'completed' };
  for (const learn of [storeSummaries, reportMistakes, promotePatterns, countUses(app), proposePreferences])
    await learn(ended).catch((error: unknown) =>
      app.log.warn(`a run taught less than it could: ${messageOf(error)}`),
    );
}

/** The summaries of the Architect, of everybody who worked, and of the judges, each under its own name and linked to its files. */
async function storeSummaries({ memory, state, result, isDone }: Ended): Promise<void> {
  const base = { session_id: state.session, source_kind: 'agent' as const, shared: isDone };
  const metadata = { run: state.run };
  if (state.plan)
    await memory.remember({
      ...base,
      category: 'architect_workflow',
      title: `Plan: ${firstLine(state.prompt)}`,
      content: [showPlan(state.plan), ...result.nodes.map(({ id, stage }) => `${id}: ${stage}`)].join('\n'),
      source: 'architect',
      refs: state.plan.nodes.flatMap(({ touches }) => touches.map(({ path }) => path)).slice(0, 40),
      metadata,
    });
  for (const { id, agent, prompt, output, files, stage } of result.nodes) {
    if (stage === 'done' && output !== '')
      await memory.remember({
        ...base,
        summary_type: 'task_completion',
        title: `${id}: ${firstLine(prompt)}`,
        content: output.slice(0, 2000),
        source: agent,
        refs: files.slice(0, 40).map((path) => `modified:${path}`),
        metadata: { ...metadata, node: id },
      });
    const findings = sentBack(state, id);
    if (findings.length > 0)
      await memory.remember({
        ...base,
        category: 'inspector_findings',
        title: `Findings in ${id}: ${firstLine(prompt)}`,
        content: findings
          .map(({ from, leg, text }) => `${from}, try ${leg}: ${text.slice(0, 600)}`)
          .join('\n'),
        source: 'inspector',
        refs: files.slice(0, 40),
        metadata: { ...metadata, node: id, resolved: stage === 'done' },
      });
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, 100) ?? '';

const sentBack = ({ nodes }: RunState, id: string): NodeOfRun['feedback'] =>
  (nodes.find((node) => node.id === id)?.feedback ?? []).filter(
    ({ from }) => from === 'inspector' || from === 'tester',
  );

/** What a judge sent back and the same node then put right is a mistake with its fix. */
async function reportMistakes({ memory, state, result }: Ended): Promise<void> {
  const session = await memory.sessions.find(state.session);
  if (!session) return;
  for (const { id, prompt, output, stage } of result.nodes) {
    const [first] = sentBack(state, id);
    if (!first || stage !== 'done' || output === '') continue;
    await memory.reportMistake(session, {
      pattern: firstLine(prompt),
      error: findingOf(first.text),
      fix: firstLine(output),
      author: { kind: 'agent', name: first.from },
      scope: 'repository',
    });
  }
}

/** The first line of a finding that says something. */
const findingOf = (text: string): string =>
  (text.split('\n').find((line) => /[a-z]{4}/i.test(line) && /[:.]\s|\d/.test(line)) ?? text).slice(0, 300);

/** Rule three: patterns of a node that its judges passed are shared, where the code does not refute them. */
async function promotePatterns({ memory, state, isDone }: Ended): Promise<void> {
  if (!isDone) return;
  const patterns = await memory.chronicle.find(
    { session_id: state.session, sees_all: false },
    { categories: ['pattern'], limit: 50 },
  );
  for (const { id, session_id, promoted, needs_review } of patterns)
    if (session_id === state.session && !promoted && !needs_review)
      await memory.chronicle.promotion.promote(id, 'inspector', `run ${state.run}`);
}

/** Rule four: a pattern that somebody was shown in a run that ended well was of use. */
const countUses =
  (app: App) =>
  async ({ memory, state, isDone }: Ended): Promise<void> => {
    const transcripts = await app.transcripts();
    const shown = new Set<string>();
    for (const { node } of await transcripts.nodes(state.run))
      for (const step of await transcripts.steps({ run: state.run, node }))
        if (step.kind === 'told' || step.kind === 'result')
          for (const [id] of step.text.matchAll(/\bent_[0-9a-z]{20,}\b/g)) shown.add(id);
    const viewer = { session_id: state.session, sees_all: false };
    for (const id of shown) {
      const entry = await memory.chronicle.get(viewer, id).catch(() => undefined); // It was deleted since, or is another session's.
      if (entry?.category === 'pattern') await memory.recordUse(viewer, id, isDone);
    }
  };

const wish = /^(?:please )?(?:always|never|prefer|don't|do not|use .+ (?:instead of|rather than) .+)\b/i;

/** What a person told engineers to do always or never may hold for later work: it is proposed, and holds once they confirm it. */
async function proposePreferences({ memory, state }: Ended): Promise<void> {
  const said = state.nodes.flatMap(({ feedback }) =>
    feedback.filter(({ from }) => from === 'person').flatMap(({ text }) => text.split(/\n|(?<=[.!])\s+/)),
  );
  for (const sentence of new Set(said.map((each) => each.trim())))
    if (wish.test(sentence))
      await memory.preferences.propose({
        category: 'work',
        preference: sentence.slice(0, 300),
        author: { kind: 'agent', name: 'orchestrator' },
      });
}
