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
}

/** What a session did, read off its entries, files and context. No model is asked. */
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
  const titles = (category: Entry['category']) =>
    entries.filter((entry) => entry.category === category).map(titleOf);
  const events = await sessions.events(session.id);
  const { completed_steps, next_steps, current_objective } = session.context;
  const lines = [
    `${session.name || session.id} (${session.state}), ${events.length} changes of state since ${session.created_at.slice(0, 16).replace('T', ' ')}.`,
    ...(current_objective ? [`Objective: ${current_objective}`] : []),
    ...(completed_steps.length > 0 ? [`Done: ${completed_steps.join('; ')}`] : []),
    ...section('Decided', titles('decision')),
    ...section(
      'Failed',
      entries
        .filter((entry) => entry.category === 'failure')
        .map((entry) => `${titleOf(entry)}${entry.resolution ? ` → ${entry.resolution}` : ''}`),
    ),
    ...section('Learnt', [...titles('pattern'), ...titles('insight')]),
    ...section('Open', [...titles('open_thread'), ...next_steps]),
    ...section('Files changed', modified),
  ];
  return {
    session_id: session.id,
    name: session.name,
    state: session.state,
    text: lines.join('\n'),
    counts,
    decisions: titles('decision'),
    failures: titles('failure'),
    files_modified: modified,
    next_steps,
  };
}

const titleOf = (entry: FoundEntry): string => entry.title;
const section = (heading: string, items: string[]): string[] =>
  items.length > 0 ? [`${heading}:`, ...items.slice(0, 40).map((item) => `- ${item}`)] : [];
