import type { Git } from '../../base/git/index.ts';
import { fileRef, isRefOf } from '../../base/ref.ts';
import { searchWords } from '../../base/text/index.ts';
import type { Category, Chronicle, Entry, Viewer } from '../../stores/chronicle/index.ts';
import type { References } from '../../stores/references/index.ts';
import type { JudgedSkill } from '../../stores/skills/index.ts';
import type { TaskRecord } from '../../stores/work/index.ts';
import { type BriefingRequest, entryLine, fitLines, oneLine, type Part, wishesOfPerson } from './briefing.ts';
import type { KnownPreferences } from './preferences.ts';
import { byWork, entriesAbout } from './relevance.ts';

/** Tokens of what a conversation is given at its start, and with its first prompt. */
export const startTokens = 600;
export const promptTokens = 300;

const lineLength = 160;
const mostPaths = 8;
/** A client waits at the start: what takes git longer is left out. */
const gitPatienceMs = 2000;

/** What a conversation starts with besides memory. A source that fails or is slow is left out. */
export interface StartSources {
  git: Git;
  /** Names under which the client claims tasks. */
  claimants: string[];
  tasks(): Promise<TaskRecord[]>;
  topics(): Promise<Awaited<ReturnType<References['list']>>>;
  skills(): Promise<JudgedSkill[]>;
}

interface StartStores {
  chronicle: Chronicle;
  preferences: { known(session: string): Promise<KnownPreferences> };
}

export async function composeSessionStart(
  { chronicle, preferences }: StartStores,
  { viewer, count, stopped }: Pick<BriefingRequest, 'viewer' | 'count'> & { stopped: string[] },
  sources: StartSources,
  limit = startTokens,
): Promise<string> {
  const changed = await attempt(() => changedFiles(sources.git), []);
  const claimed = (await attempt(sources.tasks, [])).filter(
    ({ claim }) => claim?.live && sources.claimants.includes(claim.by),
  );
  const subject = [...changed, ...claimed.map(({ title, summary }) => `${title} ${summary}`)].join(' ');
  const about = async (...categories: Category[]) => {
    const entries = byWork(await trusted(chronicle, viewer, categories));
    return entries.toSorted(
      (left, right) => closeness(right, changed, subject) - closeness(left, changed, subject),
    );
  };
  const branch = await attempt(
    () => sources.git.text(['symbolic-ref', '--short', '-q', 'HEAD'], { accept: [1] }),
    '',
  );
  const topics = await attempt(sources.topics, []);
  const skills = await attempt(sources.skills, []);
  const parts: Part[] = [
    {
      heading: 'Now',
      lines: [
        ...(branch ? [`branch ${branch}`] : []),
        ...(changed.length > 0 ? [`changed files: ${listed(changed, mostPaths)}`] : []),
        ...claimed.map(({ id, title, status }) => `claimed task: ${title} (${status}, ${id})`),
      ],
    },
    { heading: 'Where the work stopped', lines: stopped.slice(0, 3) },
    {
      heading: 'The person wants',
      lines: wishesOfPerson(await preferences.known(viewer.session_id)).slice(0, 4),
    },
    { heading: 'Decided', lines: (await about('decision')).slice(0, 5).map(entryLine) },
    { heading: 'Failed before', lines: (await about('failure')).slice(0, 4).map(entryLine) },
    {
      heading: 'Look up',
      lines: [
        ...(topics.length > 0
          ? [
              `reference topics: ${listed(
                topics.map(({ title }) => title),
                6,
              )}`,
            ]
          : []),
        ...(skills.length > 0
          ? [
              `skills to load: ${listed(
                skills.map(({ id }) => id),
                8,
              )}`,
            ]
          : []),
      ],
    },
    { heading: 'Newest commits', lines: await attempt(() => newestCommits(sources.git), []) },
    { heading: 'Open', lines: (await about('open_thread')).slice(0, 2).map(entryLine) },
    { heading: 'How it is done here', lines: (await about('pattern', 'insight')).slice(0, 3).map(entryLine) },
  ];
  const short = parts.map(({ heading, lines }) => ({
    heading,
    lines: lines.map((line) => oneLine(line, lineLength)),
  }));
  return fitLines(short, limit, count).text;
}

/** Decisions, failures and mistakes about what a prompt says; empty where none of them is about it. */
export async function composeForPrompt(
  { chronicle }: Pick<StartStores, 'chronicle'>,
  { viewer, count }: Pick<BriefingRequest, 'viewer' | 'count'>,
  prompt: string,
): Promise<string> {
  const fitting = async (...categories: Category[]) =>
    entriesAbout(prompt, await trusted(chronicle, viewer, categories))
      .slice(0, 4)
      .map((entry) => oneLine(entryLine(entry), lineLength));
  const mistakes = (await chronicle.mistakes.known(viewer))
    .filter(({ pattern, error }) => sharedWords(prompt, `${pattern} ${error}`) >= 2)
    .map(({ pattern, error, fix }) => oneLine(`${pattern}: ${error} → ${fix}`, lineLength));
  const parts = [
    { heading: 'Decided about this', lines: await fitting('decision', 'pattern') },
    { heading: 'Failed before', lines: [...(await fitting('failure')), ...mistakes.slice(0, 2)] },
  ];
  return fitLines(parts, promptTokens, count).text;
}

async function attempt<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch {
    // A conversation starts without what can't be read now.
    return otherwise;
  }
}

const newestCommits = (git: Git): Promise<string[]> =>
  git.list(['log', '-3', '-z', '--format=%h %s (%an, %cs)'], { timeoutMs: gitPatienceMs });

async function changedFiles(git: Git): Promise<string[]> {
  const options = { timeoutMs: gitPatienceMs };
  const lines = await git.list(
    ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'],
    options,
  );
  return lines.map((line) => line.slice(3));
}

const listed = (names: string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;

/** What an agent drew from a page or a skill waits until a person confirmed it. */
async function trusted(chronicle: Chronicle, viewer: Viewer, categories: Category[]): Promise<Entry[]> {
  const entries = await chronicle.find(viewer, { categories, limit: 200 });
  const kept: Entry[] = [];
  for (const entry of entries) if (!(await isFromOutside(chronicle, viewer, entry, 3))) kept.push(entry);
  return kept;
}

async function isFromOutside(
  chronicle: Chronicle,
  viewer: Viewer,
  { source_kind, verification, derived_from }: Entry,
  depth: number,
): Promise<boolean> {
  if (source_kind === 'person' || verification === 'by_user') return false;
  if (derived_from.some((ref) => /^(?:topic|library|skill):/.test(ref))) return true;
  const ids = derived_from.filter((ref) => isRefOf(ref, 'entry')).map((ref) => ref.slice('entry:'.length));
  if (ids.length === 0 || depth === 0) return false;
  for (const entry of (await chronicle.standing.several(viewer, ids)).values())
    if (await isFromOutside(chronicle, viewer, entry, depth - 1)) return true;
  return false;
}

/** An entry about a changed file comes first, then one that shares words with the files and the claimed task. */
const closeness = (entry: Entry, changed: string[], subject: string): number =>
  (changed.some((path) => entry.refs.includes(fileRef(path))) ? 100 : 0) +
  sharedWords(subject, `${entry.title} ${entry.content}`);

function sharedWords(left: string, right: string): number {
  const words = new Set(searchWords(left).filter((word) => word.length > 2));
  return [...new Set(searchWords(right))].filter((word) => words.has(word)).length;
}
