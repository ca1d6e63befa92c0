import type { CodeStore } from '../../stores/code/index.ts';
import type { History } from '../../stores/history/index.ts';
import type { IndexSource } from './source.ts';

/** How the indexing engine sees the history store. */
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
      summary: `${result.commits} commits read (${result.kind})`,
      changed: result.commits > 0 ? ['HEAD'] : [],
      failure: history.damage(),
    };
  },
});

/** How the indexing engine sees the code store. */
export const codeSource = (code: CodeStore): IndexSource => ({
  name: 'code',
  follows: 'files',
  freshness: () => code.freshness(),
  update: async (options) => {
    const { changed, ...report } = await code.update(options);
    const skipped = Object.values(report.skipped).reduce((sum, count) => sum + count, 0);
    return {
      summary: `${report.files} files, ${report.parsed} read, ${report.removed} gone, ${report.linked} linked, ${skipped} left out`,
      changed,
      detail: { ...report },
    };
  },
});
