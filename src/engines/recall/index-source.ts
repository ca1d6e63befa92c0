import { reportOf } from '../../base/errors.ts';
import type { IndexSource } from '../indexing/index.ts';
import type { Recall } from './recall.ts';

/** How the indexing engine sees recall: passages follow the files and commits that were just read. */
export const recallSource = (recall: Recall): IndexSource => ({
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
