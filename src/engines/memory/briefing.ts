import type { Chronicle, Viewer } from '../../stores/chronicle/index.ts';
import type { Session } from '../../stores/sessions/index.ts';

export const tiers = ['micro', 'standard', 'full'] as const;
export type Tier = (typeof tiers)[number];
const tierTokens: Record<Tier, number> = { micro: 200, standard: 1000, full: 4000 };

interface Part {
  heading: string;
  lines: string[];
}

export interface BriefingRequest {
  tier: Tier;
  viewer: Viewer;
  session: Session | undefined;
  owner: string;
  /** Facts of other stores, such as the state of the index, said in one line each. */
  notes: string[];
  count: (text: string) => number;
}

export interface Briefing {
  text: string;
  tokens: number;
  tier: Tier;
  /** Lines that did not fit. */
  left_out: number;
}

/** Where the work stands, the most useful first, within a hard limit of tokens. */
export async function composeBriefing(
  stores: { chronicle: Chronicle; person: Chronicle },
  request: BriefingRequest,
): Promise<Briefing> {
  const parts = await gather(stores, request);
  const limit = tierTokens[request.tier];
  const kept: string[] = [];
  let left = 0;
  let used = 0;
  for (const part of parts) {
    let headed = false;
    for (const line of part.lines) {
      const text = headed ? `- ${line}` : `${kept.length > 0 ? '\n' : ''}## ${part.heading}\n- ${line}`;
      const cost = request.count(`${text}\n`);
      if (used + cost > limit - 4) {
        left++;
        continue;
      }
      kept.push(text);
      used += cost;
      headed = true;
    }
  }
  const text =
    kept.join('\n') ||
    'Nothing has been remembered yet. Use store_entry after a decision, a failure or a discovery.';
  return { text, tokens: request.count(text), tier: request.tier, left_out: left };
}

async function gather(
  { chronicle, person }: { chronicle: Chronicle; person: Chronicle },
  { tier, viewer, session, owner, notes }: BriefingRequest,
): Promise<Part[]> {
  const many = tier === 'full' ? 30 : tier === 'standard' ? 12 : 4;
  const short = (text: string) => oneLine(text, tier === 'full' ? 400 : tier === 'standard' ? 220 : 110);
  const titled = async (
    categories: Parameters<Chronicle['find']>[1]['categories'],
    extra: Parameters<Chronicle['find']>[1] = {},
  ) =>
    (await chronicle.find(viewer, { categories, limit: many, ...extra })).map((entry) =>
      short(
        `${entry.needs_review ? '⚠️ UNVERIFIED ' : ''}${entry.title}${entry.content.startsWith(entry.title) ? entry.content.slice(entry.title.length) : `: ${entry.content}`}${entry.resolution ? ` → ${entry.resolution}` : ''}`,
      ),
    );
  const checkpoint = await chronicle.checkpoints.latest({ session_id: viewer.session_id, owner });
  const preferences = await person.preferences.get(viewer.session_id);
  const mistakes = await chronicle.mistakes.known(viewer.session_id);
  const files = viewer.session_id ? await chronicle.files.of(viewer.session_id, many) : [];
  const parts: Part[] = [
    {
      heading: 'Where the work stopped',
      lines: [...sessionLines(session), ...(checkpoint ? checkpointLines(checkpoint).map(short) : [])],
    },
    {
      heading: 'The person wants',
      lines: [
        ...Object.entries({ ...preferences.explicit, ...preferences.session_overrides }).map(([key, value]) =>
          short(`${key}: ${value}`),
        ),
        ...(await titled(['user_voice'])),
      ],
    },
    { heading: 'Decided', lines: await titled(['decision']) },
    {
      heading: 'Failed before',
      lines: [
        ...(await titled(['failure'])),
        ...mistakes
          .slice(0, many)
          .map((mistake) => short(`${mistake.pattern}: ${mistake.error} → ${mistake.fix}`)),
      ],
    },
    { heading: 'Open', lines: await titled(['open_thread', 'hypothesis']) },
    { heading: 'How it is done here', lines: await titled(['pattern', 'insight']) },
    {
      heading: 'Files of this session',
      lines: files.map((file) =>
        short(`${file.operation} ${file.path}${file.summary ? `: ${file.summary}` : ''}`),
      ),
    },
    { heading: 'Lately', lines: await titled(['timeline', 'task_state', 'general']) },
    { heading: 'Repository', lines: notes.map(short) },
    {
      heading: 'Learnt habits',
      lines: Object.entries(preferences.implicit)
        .filter(([, value]) => value.confidence >= 0.5)
        .map(([key, value]) => short(`${key}: ${value.value} (${Math.round(value.confidence * 100)} %)`)),
    },
  ];
  return parts.filter((part) => part.lines.length > 0);
}

function sessionLines(session: Session | undefined): string[] {
  if (!session) return [];
  const { current_task, current_step, current_objective, next_steps, blockers } = session.context;
  return [
    ...(current_objective ? [`objective: ${current_objective}`] : []),
    ...(current_task ? [`task: ${current_task}${current_step ? `, at ${current_step}` : ''}`] : []),
    ...(next_steps.length > 0 ? [`next: ${next_steps.join('; ')}`] : []),
    ...(blockers.length > 0 ? [`blocked by: ${blockers.join('; ')}`] : []),
  ];
}

function checkpointLines(checkpoint: {
  description: string;
  status: string;
  next_steps: string[];
  progress: string[];
  updated_at: string;
}): string[] {
  return [
    `${checkpoint.description} (${checkpoint.status}, ${checkpoint.updated_at.slice(0, 10)})`,
    ...(checkpoint.next_steps.length > 0 ? [`continue with: ${checkpoint.next_steps.join('; ')}`] : []),
    ...(checkpoint.progress.length > 0 ? [`done: ${checkpoint.progress.join('; ')}`] : []),
  ];
}

const oneLine = (text: string, length: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
};
