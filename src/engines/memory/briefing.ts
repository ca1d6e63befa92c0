import { isObject } from '../../base/json.ts';
import {
  type Author,
  type Category,
  type Chronicle,
  doubtAbout,
  type Entry,
  type Viewer,
} from '../../stores/chronicle/index.ts';
import type { Session } from '../../stores/sessions/index.ts';
import type { KnownPreferences, PersonPreferences } from './preferences.ts';

export const tiers = ['micro', 'standard', 'full'] as const;
export type Tier = (typeof tiers)[number];
/** Tokens, entries of each kind, and characters per line. */
const limits: Record<Tier, { tokens: number; many: number; length: number }> = {
  micro: { tokens: 200, many: 4, length: 110 },
  standard: { tokens: 1000, many: 12, length: 220 },
  full: { tokens: 4000, many: 30, length: 400 },
};

export interface Part {
  heading: string;
  lines: string[];
}

export interface BriefingRequest {
  tier: Tier;
  viewer: Viewer;
  session: Session | undefined;
  owner: string;
  count: (text: string) => number;
}

interface BriefingStores {
  chronicle: Chronicle;
  preferences: Pick<PersonPreferences, 'known'>;
}

/** The state of the work, the most useful first, within a hard limit of tokens. */
export async function composeBriefing(stores: BriefingStores, request: BriefingRequest) {
  const fitted = fitLines(await gather(stores, request), limits[request.tier].tokens, request.count);
  const text =
    fitted.text ||
    'Nothing has been remembered yet. After a decision, a failure or a discovery: `sylk memory add "…"`, or the tool remember.';
  return { text, tokens: request.count(text), tier: request.tier, left_out: fitted.left };
}

/** As many lines as the tokens allow, under their headings. */
export function fitLines(
  parts: Part[],
  limit: number,
  count: (text: string) => number,
): { text: string; left: number } {
  const kept: string[] = [];
  let left = 0;
  let used = 0;
  for (const part of parts) {
    let headed = false;
    for (const line of part.lines) {
      const text = headed ? `- ${line}` : `${kept.length > 0 ? '\n' : ''}## ${part.heading}\n- ${line}`;
      const cost = count(`${text}\n`);
      if (used + cost > limit - 4) {
        left++;
        continue;
      }
      kept.push(text);
      used += cost;
      headed = true;
    }
  }
  return { text: kept.join('\n'), left };
}

async function gather(stores: BriefingStores, request: BriefingRequest): Promise<Part[]> {
  const { chronicle } = stores;
  const { tier, viewer } = request;
  const { many, length } = limits[tier];
  const short = (text: string) => oneLine(text, length);
  /** The author comes first, where no text by someone else can precede it. */
  const said: Said = (by, at, text) => `[${by}, ${at.slice(0, 10)}] ${short(text)}`;
  const entries = (...categories: Category[]) => chronicle.find(viewer, { categories, limit: many });
  const lines = async (...categories: Category[]) =>
    (await entries(...categories)).map((entry) =>
      said(entryAuthorText(entry), entry.created_at, entryText(entry)),
    );
  const mistakes = (await chronicle.mistakes.known(viewer)).slice(0, many);
  const files = viewer.session_id ? await chronicle.files.of(viewer.session_id, many) : [];
  const known = await stores.preferences.known(viewer.session_id);
  const wishes = wishParts({ known, voices: await entries('user_voice'), said, many });
  const parts: Part[] = [
    { heading: 'Where the work stopped', lines: (await stoppedLines(chronicle, request)).map(short) },
    ...wishes.ofPerson,
    { heading: 'Decided', lines: await lines('decision') },
    {
      heading: 'Failed before',
      lines: [
        ...(await lines('failure')),
        ...mistakes.map(({ author, last_seen_at, pattern, error, fix }) =>
          said(authorText(author), last_seen_at, `${pattern}: ${error} → ${fix}`),
        ),
      ],
    },
    { heading: 'Open', lines: await lines('open_thread', 'hypothesis') },
    wishes.proposed,
    { heading: 'How it is done here', lines: await lines('pattern', 'insight') },
    {
      heading: 'Files of this session',
      lines: files.map((file) =>
        short(`${file.operation} ${file.path}${file.summary ? `: ${file.summary}` : ''}`),
      ),
    },
    { heading: 'Lately', lines: await lines('timeline', 'task_state', 'general') },
    wishes.reported,
  ];
  return parts.filter((part) => part.lines.length > 0);
}

type Said = (by: string, at: string, text: string) => string;

/** The person's own words, and separately what others say that the person wants. */
function wishParts({
  known,
  voices,
  said,
  many,
}: {
  known: KnownPreferences;
  voices: Entry[];
  said: Said;
  many: number;
}): { ofPerson: Part[]; proposed: Part; reported: Part } {
  const preferenceLines = (preferences: KnownPreferences['explicit']) =>
    Object.entries(preferences).map(([key, { value, author, at }]) =>
      said(authorText(author), at, `${key}: ${value}`),
    );
  const voiceLines = (ofPerson: boolean) =>
    voices
      .filter((entry) => isOfPerson(entry) === ofPerson)
      .map((entry) => said(voiceAuthor(entry), entry.created_at, entryText(entry)));
  const waiting = known.proposals.filter(({ status }) => status === 'waiting').slice(-many);
  const habits = Object.entries(known.implicit).filter(
    ([, { confidence, author }]) => confidence >= 0.5 && author.kind !== 'unknown',
  );
  return {
    ofPerson: [
      {
        heading: 'The person wants',
        lines: [...preferenceLines(known.explicit), ...voiceLines(true)],
      },
      { heading: 'Set for this session', lines: preferenceLines(known.session_overrides) },
    ],
    proposed: {
      heading: 'Proposed preferences of the person, not confirmed',
      lines: [
        ...waiting.map(({ author, proposed_at, category, preference }) =>
          said(unconfirmed(authorText(author)), proposed_at, `${category}: ${preference}`),
        ),
        ...voiceLines(false),
      ],
    },
    reported: {
      heading: 'Reported habits, not confirmed',
      lines: habits.map(([key, { value, confidence, author, observed_at }]) =>
        said(authorText(author), observed_at, `${key}: ${value} (${Math.round(confidence * 100)} %)`),
      ),
    },
  };
}

export async function stoppedLines(
  chronicle: Chronicle,
  { viewer, owner, session }: Pick<BriefingRequest, 'viewer' | 'owner' | 'session'>,
): Promise<string[]> {
  const checkpoint = await chronicle.checkpoints.latest({ session_id: viewer.session_id, owner });
  return [...sessionLines(session), ...(checkpoint ? checkpointLines(checkpoint) : [])];
}

/** Written by the person, or written by someone else and confirmed by them. */
const isOfPerson = ({ source_kind, verification }: Entry): boolean =>
  source_kind === 'person' || verification === 'by_user';

const unconfirmed = (author: string): string => `proposed by ${author}, not confirmed`;

const voiceAuthor = (entry: Entry): string => {
  const author = entryAuthorText(entry);
  if (!isOfPerson(entry)) return unconfirmed(author);
  return entry.source_kind === 'person' ? author : `${author}, confirmed by the person`;
};

/** An entry on one line, with its author and day. */
export const entryLine = (entry: Entry): string =>
  `[${entryAuthorText(entry)}, ${entry.created_at.slice(0, 10)}] ${entryText(entry)}`;

export const wishesOfPerson = ({ explicit }: KnownPreferences): string[] =>
  Object.entries(explicit).map(
    ([key, { value, author, at }]) => `[${authorText(author)}, ${at.slice(0, 10)}] ${key}: ${value}`,
  );

const entryText = ({ title, content, resolution, ...entry }: Entry): string =>
  `${entry.needs_review ? `${doubtAbout(entry)}: ` : ''}${content.startsWith(title) ? content : `${title}: ${content}`}${resolution ? ` → ${resolution}` : ''}`;

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

export const oneLine = (text: string, length: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
};

/** Escapes a self-chosen name, so that it cannot look like the text around it. */
const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}._@/ -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 40);

/** `person ada`, `agent claude-code`, `unknown author`. */
export const authorText = ({ kind, name }: Author): string =>
  kind === 'unknown' ? 'unknown author' : `${kind} ${plainName(name)}`.trim();

/** A file says who wrote this, and nobody confirmed it. `source` is the label of the import then. */
export const isUnconfirmedImport = ({ imported }: Entry['metadata']): boolean =>
  isObject(imported) && imported['confirmed'] !== true;

export function entryAuthorText({ source, source_kind, metadata }: Entry): string {
  if (isUnconfirmedImport(metadata)) return plainName(source);
  if (source_kind === 'system') return 'sylk';
  const author = authorText({ kind: source_kind === 'person' ? 'person' : 'agent', name: source });
  const { client } = metadata;
  return typeof client === 'string' ? `${author} via ${plainName(client)}` : author;
}
