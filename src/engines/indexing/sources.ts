import { SylkError } from '../../base/errors.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import type { History } from '../../stores/history/index.ts';
import type { IndexSource } from './source.ts';

/** The history store as a source of indexing. */
export const historySource = (history: History): IndexSource => ({
  name: 'history',
  follows: 'commits',
  freshness: async () => {
    const { state, head, indexed, done, total } = await history.freshness();
    const share = total ? `${Math.floor((100 * (done ?? 0)) / total)} %` : '';
    return {
      state,
      detail:
        share ||
        (indexed
          ? [
              `at ${indexed.slice(0, 10)}${indexed === head ? '' : `, HEAD is ${head?.slice(0, 10)}`}`,
              ...history.problems(),
            ].join('; ')
          : ''),
    };
  },
  update: async ({ rebuild, signal, progress }) => {
    const result = await history.update({ rebuild: rebuild ?? false, signal, progress });
    return {
      summary: `${result.commits} ${result.kind === 'built' ? '' : 'new '}commits`,
      changed: result.commits > 0 ? ['HEAD'] : [],
      failure: history.damage(),
    };
  },
});

/** The code store as a source of indexing. */
export const codeSource = (code: CodeStore): IndexSource => ({
  name: 'code',
  follows: 'files',
  freshness: async () => {
    const { state, detail } = await code.freshness();
    const counts: Record<string, number> = {};
    for (const { reason } of code.skipped()) counts[reason] = (counts[reason] ?? 0) + 1;
    return { state, detail: `${detail}${skippedReasons(counts)}` };
  },
  update: async (options) => {
    const { changed, ...report } = await code.update(options);
    return {
      summary: `${report.files} files${skippedCount(report.skipped)}`,
      changed,
      detail: { ...report },
      failure: unreadable(report.problems, report.skipped['not readable']),
    };
  },
});

const totalOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const skippedCount = (counts: Record<string, number>): string =>
  totalOf(counts) > 0 ? ` (${totalOf(counts)} skipped)` : '';

/** How many files no search finds, and by which rules: a repository can hide a file with a rule of its own. */
function skippedReasons(counts: Record<string, number>): string {
  const reasons = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  if (reasons.length === 0) return '';
  return `; ${totalOf(counts)} skipped (${reasons.map(([reason, count]) => `${count} ${reason}`).join(', ')})`;
}

function unreadable(problems: Array<{ path: string; reason: string }>, count = 0): SylkError | undefined {
  if (count === 0) return undefined;
  const paths = problems.filter(({ reason }) => reason === 'not readable').map(({ path }) => path);
  const more = count > 5 ? ` and ${count - 5} more` : '';
  return new SylkError(
    'UNAVAILABLE',
    `${count} ${count === 1 ? 'file' : 'files'} could not be read: ${paths.slice(0, 5).join(', ')}${more}.`,
    {
      hint: 'Allow reading (`chmod u+r FILE`) or add the file to .sylkignore, then run `sylk index`. `sylk files --skipped` lists all.',
    },
  );
}
