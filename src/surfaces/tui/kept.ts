import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { state } from '../../base/files/index.ts';
import { redact } from '../../base/redact.ts';

const record = z.discriminatedUnion('type', [
  z.object({ type: z.literal('tab'), tab: z.string(), session: z.string().optional(), title: z.string() }),
  z.object({ type: z.literal('closed'), tab: z.string() }),
  z.object({ type: z.literal('switched'), tab: z.string() }),
  z.object({ type: z.literal('draft'), tab: z.string(), text: z.string() }),
  z.object({ type: z.literal('told'), tab: z.string(), text: z.string() }),
  z.object({ type: z.literal('settled'), tab: z.string(), text: z.string() }),
  z.object({ type: z.literal('chosen'), name: z.string(), value: z.string() }),
]);
export type KeptRecord = z.output<typeof record>;

export interface KeptTab {
  id: string;
  session: string | undefined;
  title: string;
  draft: string;
  /** Told and not answered, oldest first. */
  unanswered: string[];
}

/** What a terminal finds again when it is opened the next time. */
export interface Kept {
  tabs: KeptTab[];
  active: string;
  history: string[];
  /** Theme, worker and other choices of the person. */
  choices: Record<string, string>;
}

export const mostHistory = 500;
const compactBytes = 512 * 1024;

export const emptyKept: Kept = { tabs: [], active: '', history: [], choices: {} };

export function foldKept(kept: Kept, happened: KeptRecord): Kept {
  if (happened.type === 'chosen')
    return { ...kept, choices: { ...kept.choices, [happened.name]: happened.value } };
  if (happened.type === 'switched') return { ...kept, active: happened.tab };
  if (happened.type === 'closed') return { ...kept, tabs: kept.tabs.filter(({ id }) => id !== happened.tab) };
  const old = kept.tabs.find(({ id }) => id === happened.tab);
  const before: KeptTab = old ?? {
    id: happened.tab,
    session: undefined,
    title: '',
    draft: '',
    unanswered: [],
  };
  const after = changedTab(before, happened);
  const tabs = old ? kept.tabs.map((tab) => (tab === old ? after : tab)) : [...kept.tabs, after];
  if (happened.type !== 'told') return { ...kept, tabs };
  const history = [...kept.history.filter((line) => line !== happened.text), happened.text];
  return { ...kept, tabs, history: history.slice(-mostHistory) };
}

function changedTab(
  tab: KeptTab,
  happened: Exclude<KeptRecord, { type: 'chosen' | 'switched' | 'closed' }>,
): KeptTab {
  if (happened.type === 'tab')
    return { ...tab, session: happened.session ?? tab.session, title: happened.title };
  if (happened.type === 'draft') return { ...tab, draft: happened.text };
  if (happened.type === 'told') return { ...tab, draft: '', unanswered: [...tab.unanswered, happened.text] };
  const at = tab.unanswered.indexOf(happened.text);
  return { ...tab, unanswered: tab.unanswered.filter((_, index) => index !== at) };
}

/** The records that lead to the same state. */
export function recordsOf({ tabs, active, history, choices }: Kept): KeptRecord[] {
  const told = (text: string): KeptRecord[] => [
    { type: 'told', tab: '', text },
    { type: 'settled', tab: '', text },
  ];
  return [
    ...history.flatMap(told),
    { type: 'closed', tab: '' },
    ...Object.entries(choices).map(([name, value]): KeptRecord => ({ type: 'chosen', name, value })),
    ...tabs.flatMap(({ id, session, title, draft, unanswered }): KeptRecord[] => [
      { type: 'tab', tab: id, session, title },
      ...unanswered.map((text): KeptRecord => ({ type: 'told', tab: id, text })),
      ...(draft === '' ? [] : [{ type: 'draft', tab: id, text: draft } as const]),
    ]),
    { type: 'switched', tab: active },
  ];
}

export interface KeptFile {
  kept(): Kept;
  write(happened: KeptRecord): void;
}

/** One file for each repository, in the person's own state. A line is written before the next key is read. */
export function openKept(directory: string, root: string): KeptFile {
  state.addRoot(directory);
  const name = `${basename(root).slice(0, 40)}-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
  const path = join(directory, 'terminal', `${name}.jsonl`);
  const text = state.readText(path) ?? '';
  let kept = text.split('\n').reduce((before, line) => {
    const read = record.safeParse(parsed(line));
    return read.success ? foldKept(before, read.data) : before;
  }, emptyKept);
  if (text.length > compactBytes) state.write(path, recordsOf(kept).map(lineOf).join(''));
  else if (text !== '' && !text.endsWith('\n')) state.append(path, '\n');
  return {
    kept: () => kept,
    write: (happened) => {
      const safe = 'text' in happened ? { ...happened, text: redact(happened.text) } : happened;
      kept = foldKept(kept, safe);
      state.append(path, lineOf(safe));
    },
  };
}

const lineOf = (happened: KeptRecord): string => `${JSON.stringify(happened)}\n`;

/** The last line of a process that was killed may be half of one. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
