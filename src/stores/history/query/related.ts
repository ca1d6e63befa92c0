import { isTestPath } from '../../../base/text/index.ts';
import { type CochangeRow, cochange } from './cochange.ts';
import { whyRelated } from './cochange-score.ts';
import type { HistoryView } from './history-view.ts';

export interface RelatedOptions {
  minJaccard?: number | undefined;
  minCount?: number | undefined;
  halfLifeDays?: number | undefined;
  /** Maximum number of files that never changed together with the given one. */
  guesses?: number | undefined;
  /** Paths that the code links with the given one, if indexed. */
  linked?: ReadonlySet<string> | undefined;
}

export interface RelatedFile extends CochangeRow {
  name: string;
  /** Total number of its commits. */
  total: number;
  /** The evidence, in words. */
  why: string;
}

export interface RelatedSource {
  ignoredRevisions(view: HistoryView): Set<number>;
}

export function relatedFiles(
  source: RelatedSource,
  view: HistoryView,
  path: number,
  options: RelatedOptions = {},
): RelatedFile[] {
  const { bulkCap, minimumSupport, halfLifeDays } = view.settings;
  const decay = options.halfLifeDays ?? halfLifeDays;
  const linked = new Set([...(options.linked ?? [])].map((name) => view.find(name)));
  const rows = cochange(
    view,
    path,
    {
      bulkCap,
      minimumSupport: options.minCount ?? minimumSupport,
      ignoredRevisions: source.ignoredRevisions(view),
      halfLifeDays: decay > 0 ? decay : undefined,
      isLinked: (other) => linked.has(other),
    },
    options.minJaccard ? 0 : (options.guesses ?? 0),
  ).filter((row) => row.jaccard >= (options.minJaccard ?? 0));
  const totals = view.sizes().count;
  return rows.map((row) => {
    const name = view.name(row.path);
    const why = whyRelated(row.count, row.features, isTestPath(name));
    return { ...row, name, total: totals[row.path] ?? 0, why };
  });
}
