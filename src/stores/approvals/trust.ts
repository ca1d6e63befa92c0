import { isoTime } from '../../base/clock.ts';
import type { ContentItem } from '../../base/content-item.ts';
import { person, state } from '../../base/files/index.ts';
import { redact } from '../../base/redact.ts';
import { openSqlite } from '../../base/sqlite/index.ts';
import type { ApprovalsContext } from './context.ts';

/** Digests of what a person trusted of one repository, by item. */
export type TrustedContent = ReadonlyMap<string, string>;

/**
 * Read before anything else is open, so it is synchronous and creates nothing. On any doubt nothing is trusted: no
 * file, no table, a damaged database. A path that an earlier version trusted as a whole has no content here.
 */
export function trustedContent(libraryPath: string, repositoryPath: string): TrustedContent {
  if (!state.exists(libraryPath)) return new Map();
  try {
    const sqlite = openSqlite(libraryPath, { readOnly: true });
    try {
      const rows = sqlite.all<{ item: string; digest: string }>(
        'SELECT item, digest FROM trusted_content WHERE repository = ?',
        realPath(repositoryPath),
      );
      return new Map(rows.map(({ item, digest }) => [item, digest]));
    } finally {
      sqlite.close();
    }
  } catch {
    return new Map();
  }
}

export interface TrustDecision {
  path: string;
  trusted: boolean;
  /** Number of trusted settings and skills. */
  items: number;
  decided_at: string;
  decided_by: string;
}

/** Trusts exactly these items, in addition to earlier ones. The text is stored to show later changes. */
export async function trustContent(
  context: ApprovalsContext,
  { path, items, by }: { path: string; items: ContentItem[]; by: string },
): Promise<TrustDecision> {
  const repository = realPath(path);
  const decided = { decided_at: isoTime(context.clock.now()), decided_by: by };
  await context.tables.transaction().execute(async (tables) => {
    const decision = { path: repository, trusted: 1, ...decided };
    await tables
      .insertInto('trusted_repositories')
      .values(decision)
      .onConflict((conflict) => conflict.column('path').doUpdateSet(decision))
      .execute();
    for (const { item, digest, text } of items) {
      const row = { repository, item, digest, text: redact(text), ...decided };
      await tables
        .insertInto('trusted_content')
        .values(row)
        .onConflict((conflict) => conflict.columns(['repository', 'item']).doUpdateSet(row))
        .execute();
    }
  });
  return findDecision(context, repository);
}

/** Revokes trust: for everything, or for single items. Returns the number of items. */
export async function untrustContent(
  { tables, clock }: ApprovalsContext,
  { path, items, by }: { path: string; items?: string[]; by: string },
): Promise<number> {
  const repository = realPath(path);
  let removing = tables.deleteFrom('trusted_content').where('repository', '=', repository);
  if (items) removing = removing.where('item', 'in', items);
  const { numDeletedRows } = await removing.executeTakeFirst();
  if (!items) {
    const row = { path: repository, trusted: 0, decided_at: isoTime(clock.now()), decided_by: by };
    await tables
      .insertInto('trusted_repositories')
      .values(row)
      .onConflict((conflict) => conflict.column('path').doUpdateSet(row))
      .execute();
  }
  return Number(numDeletedRows);
}

/** One item as it was trusted. */
export async function trustedItem(
  { tables }: ApprovalsContext,
  { path, item }: { path: string; item: string },
): Promise<{ digest: string; text: string } | undefined> {
  return tables
    .selectFrom('trusted_content')
    .select(['digest', 'text'])
    .where('repository', '=', realPath(path))
    .where('item', '=', item)
    .executeTakeFirst();
}

export async function trustDecisions({ tables }: ApprovalsContext): Promise<TrustDecision[]> {
  const rows = await tables.selectFrom('trusted_repositories').selectAll().orderBy('path').execute();
  const counts = await tables
    .selectFrom('trusted_content')
    .select(({ fn }) => ['repository', fn.countAll<number>().as('items')])
    .groupBy('repository')
    .execute();
  return rows.map((row) => {
    const items = Number(counts.find(({ repository }) => repository === row.path)?.items ?? 0);
    return { ...row, trusted: row.trusted === 1 && items > 0, items };
  });
}

export async function findDecision(context: ApprovalsContext, path: string): Promise<TrustDecision> {
  const found = (await trustDecisions(context)).find((decision) => decision.path === realPath(path));
  return found ?? { path: realPath(path), trusted: false, items: 0, decided_at: '', decided_by: '' };
}

const realPath = (path: string): string => (person.exists(path) ? person.realPath(path) : path);
