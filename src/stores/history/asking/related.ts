import { type CochangeRow, cochange, namedAlike } from './cochange.ts';
import type { Model } from './model.ts';

export interface RelatedOptions {
  minJaccard?: number | undefined;
  minCount?: number | undefined;
  halfLifeDays?: number | undefined;
  /** Up to how many answers are filled up with files that are only named alike. */
  guesses?: number | undefined;
}

export interface RelatedFile extends CochangeRow {
  name: string;
  /** Commits that touched it in all. */
  total: number;
}

export interface RelatedSource {
  ignoredRevisions(model: Model): Set<number>;
}

export function relatedFiles(
  source: RelatedSource,
  model: Model,
  path: number,
  options: RelatedOptions = {},
): RelatedFile[] {
  const { bulkCap, minimumSupport, halfLifeDays } = model.settings;
  const decay = options.halfLifeDays ?? halfLifeDays;
  const rows = cochange(model, path, {
    bulkCap,
    minimumSupport: options.minCount ?? minimumSupport,
    ignoredRevisions: source.ignoredRevisions(model),
    ...(decay > 0 ? { halfLifeDays: decay } : {}),
  }).filter((row) => row.jaccard >= (options.minJaccard ?? 0));
  const wanted = (options.guesses ?? 0) - rows.length;
  if (wanted > 0 && !options.minJaccard) {
    const known = new Set(rows.map((row) => row.path));
    rows.push(...namedAlike(model, path, known).slice(0, wanted));
  }
  const totals = model.sizes().count;
  return rows.map((row) => ({ ...row, name: model.name(row.path), total: totals[row.path] ?? 0 }));
}
