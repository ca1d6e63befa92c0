import type { Git } from '../../base/git/index.ts';
import { fileRef, refOf } from '../../base/ref.ts';
import { sightOf, type Viewer } from './answer.ts';
import { commitFormat, readCited } from './commits.ts';
import type { AnswersContext } from './context.ts';
import { entriesOf } from './specialists/archivalist.ts';
import type { Cited } from './specialists/compose.ts';

const mostUncommitted = 6;
const mostCommits = 8;
const mostFiles = 4;
const mostFailures = 8;

interface Found {
  cited: Cited[];
  total: number;
  notes?: string[];
}

/** Files that are changed and not committed, then the newest commits with their files. */
export async function changedLately(git: Git): Promise<Found> {
  const status = await git.list(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'], {
    timeoutMs: 5000,
  });
  const uncommitted = status.map((line) => ({
    ref: fileRef(line.slice(3)),
    domain: 'code',
    place: line.slice(3),
    reason: line.startsWith('??') ? 'new, not committed' : 'changed, not committed',
  }));
  const log = await git.text(
    ['log', '--no-merges', `-n${mostCommits}`, '--name-only', `--format=%x01${commitFormat}`, 'HEAD'],
    { accept: [128], timeoutMs: 5000 },
  );
  const commits = log
    .split('\x01')
    .slice(1)
    .flatMap((record) => {
      const [head = '', ...lines] = record.split('\n');
      const files = lines.filter(Boolean);
      const more = files.length > mostFiles ? ` and ${files.length - mostFiles} more` : '';
      return readCited(head).map((commit) => ({
        ...commit,
        reason: [commit.reason, `${files.slice(0, mostFiles).join(', ')}${more}`].filter(Boolean).join('; '),
      }));
    });
  const hidden = uncommitted.length - mostUncommitted;
  return {
    cited: [...uncommitted.slice(0, mostUncommitted), ...commits],
    total: uncommitted.length + commits.length,
    notes: hidden > 0 ? [`${hidden} more files are changed: git status`] : [],
  };
}

/** Recorded failures and mistakes about a subject; all of them, newest first, where none is or no subject is named. */
export async function failuresAbout(
  context: AnswersContext,
  viewer: Viewer,
  subject: string,
): Promise<Found> {
  const records = { context, viewer };
  const { chronicle, person } = await context.memory();
  const about = subject === '' ? [] : await recorded(records, subject);
  if (about.length > 0) return { cited: about, total: about.length };
  const known = [
    ...(await chronicle.mistakes.known(sightOf(viewer))),
    ...(await person.mistakes.known({ session_id: '', sees_all: false })),
  ];
  const mistakes: Cited[] = known.map(({ id, pattern, error, fix }) => ({
    ref: refOf('mistake', id),
    domain: 'chronicle',
    place: pattern,
    reason: `went wrong: ${error}; instead: ${fix}`,
  }));
  const all = [...(await recorded(records)), ...mistakes];
  return {
    cited: all.slice(0, mostFailures),
    total: all.length,
    notes:
      subject !== '' && all.length > 0
        ? [`None of them is about ${subject}; these are all that are recorded.`]
        : [],
  };
}

const recorded = (records: { context: AnswersContext; viewer: Viewer }, text?: string): Promise<Cited[]> =>
  entriesOf(records, { text, categories: ['failure'], limit: mostFailures });
