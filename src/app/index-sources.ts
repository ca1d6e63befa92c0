import { reportOf } from '../base/errors.ts';
import type { IndexSource } from '../engines/indexing/index.ts';
import type { OpenedRecall } from '../engines/recall/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { History } from '../stores/history/index.ts';

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

/** How the indexing engine sees recall: passages follow the files and commits that were just read. */
export const recallSource = (recall: OpenedRecall): IndexSource => ({
  name: 'recall',
  follows: 'files',
  freshness: async () => ({ state: (await recall.freshness())[0]?.state ?? 'empty' }),
  update: async ({ signal }) => {
    const reports = await recall.refreshAll(signal);
    // Without graphs every vector is compared: slower, and the answers are the same.
    const slower = await recall.meaning.compact(recall.domains()).then(
      () => '',
      (error: unknown) => `; ${reportOf(error).message}`,
    );
    const passages = reports.reduce((sum, report) => sum + report.passages, 0);
    const changed = reports.some((report) => report.added + report.removed > 0);
    return { summary: `${passages} passages written${slower}`, changed: changed ? ['passages'] : [] };
  },
});
