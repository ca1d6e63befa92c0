import { refOf } from '../../base/ref.ts';
import type { Chronicle, Entry, FoundEntry, Viewer } from '../../stores/chronicle/index.ts';
import type { Session, Sessions } from '../../stores/sessions/index.ts';

export interface SessionSummary {
  session_id: string;
  name: string;
  state: string;
  text: string;
  counts: Record<string, number>;
  decisions: string[];
  failures: string[];
  files_modified: string[];
  next_steps: string[];
  /** Refs of the entries in the text. */
  told: string[];
}

/** What a session did, from its entries, files and context. No model is called. */
export async function summarise(
  { chronicle, sessions }: { chronicle: Chronicle; sessions: Sessions },
  session: Session,
): Promise<SessionSummary> {
  const viewer: Viewer = { session_id: session.id, sees_all: false };
  const entries = (
    await chronicle.find(viewer, { current_only: true, limit: 1000, include_superseded: false })
  ).reverse();
  const files = await chronicle.files.of(session.id, 1000);
  const modified = [...new Set(files.filter((file) => file.operation !== 'read').map((file) => file.path))];
  const counts: Record<string, number> = {};
  for (const entry of entries) counts[entry.category] = (counts[entry.category] ?? 0) + 1;
  const of = (...categories: Array<Entry['category']>) =>
    categories.flatMap((category) => entries.filter((entry) => entry.category === category));
  const [decided, failed, learnt, open] = [
    of('decision'),
    of('failure'),
    of('pattern', 'insight'),
    of('open_thread'),
  ];
  const shown = [decided, failed, learnt, open].flatMap((part) => part.slice(0, mostTold));
  const events = await sessions.events(session.id);
  const { completed_steps, next_steps, current_objective } = session.context;
  const lines = [
    `${session.name || session.id} (${session.state}), ${events.length} changes of state since ${session.created_at.slice(0, 16).replace('T', ' ')}.`,
    ...(current_objective ? [`Objective: ${current_objective}`] : []),
    ...(completed_steps.length > 0 ? [`Done: ${completed_steps.join('; ')}`] : []),
    ...section('Decided', decided.map(titleOf)),
    ...section(
      'Failed',
      failed.map((entry) => `${titleOf(entry)}${entry.resolution ? ` → ${entry.resolution}` : ''}`),
    ),
    ...section('Learnt', learnt.map(titleOf)),
    ...section('Open', [...open.map(titleOf), ...next_steps]),
    ...section('Files changed', modified),
  ];
  return {
    session_id: session.id,
    name: session.name,
    state: session.state,
    text: lines.join('\n'),
    counts,
    decisions: decided.map(titleOf),
    failures: failed.map(titleOf),
    files_modified: modified,
    next_steps,
    told: shown.map(({ id }) => refOf('entry', id)),
  };
}

const mostTold = 40;
const titleOf = (entry: FoundEntry): string => entry.title;
const section = (heading: string, items: string[]): string[] =>
  items.length > 0 ? [`${heading}:`, ...items.slice(0, mostTold).map((item) => `- ${item}`)] : [];
