import { sql } from 'kysely';
import { parseJsonTexts } from '../../base/json.ts';
import type { Library } from '../../base/library/index.ts';
import { idOf, isRefOf, refOf } from '../../base/ref.ts';
import { createDocumentIndex, type DocumentIndex } from '../../base/search/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { searchWords } from '../../base/text/index.ts';
import type { AreaKind } from './area.ts';
import { type AreasContext, tableOf, tablesOf } from './context.ts';
import type { AreaTables } from './tables.ts';

export interface AreaHit {
  ref: string;
  kind: AreaKind;
  id: string;
  title: string;
  text: string;
  projectId: string;
  score: number;
}

/** Molecules and atoms by the words of their name, knowledge and paths, best first. */
export async function searchAreaText(
  context: AreasContext,
  request: { query: string; projectId?: string | undefined; limit: number },
): Promise<AreaHit[]> {
  const hits = await context.words.rank({
    terms: searchWords(request.query),
    scope: request.projectId,
    limit: request.limit,
  });
  return hitsOf(context, hits);
}

/** The records of given refs; deleted ones and those of other projects are omitted. */
export const textsOf = (context: AreasContext, refs: string[]): Promise<AreaHit[]> =>
  hitsOf(
    context,
    refs.map((ref) => ({ ref, score: 0 })),
  );

async function hitsOf(
  context: AreasContext,
  hits: Array<{ ref: string; score: number }>,
): Promise<AreaHit[]> {
  const found: AreaHit[] = [];
  for (const { ref, score } of hits) {
    const [kind, id] = ref.split(':') as [AreaKind, string];
    if (kind !== 'atom' && kind !== 'molecule') continue;
    const { rows } = await sql<{ name: string; knowledge: string; project_id: string }>`
      SELECT name, knowledge, project_id FROM ${tableOf(kind)} WHERE id = ${id}`.execute(tablesOf(context));
    const row = rows[0];
    if (row)
      found.push({ ref, kind, id, title: row.name, text: row.knowledge, projectId: row.project_id, score });
  }
  return found;
}

/** The word index of molecules and atoms, by ref; the scope is the project. */
export const createAreaWords = (library: Library, index: (() => Sqlite) | undefined): DocumentIndex =>
  createDocumentIndex({
    name: 'area_words',
    library,
    index,
    weights: { title: 4, body: 1 },
    owns: (ref) => isRefOf(ref, 'atom') || isRefOf(ref, 'molecule'),
    read: async (refs) => {
      const tables = library.tables<AreaTables>();
      const ids = refs.map(idOf);
      const atoms = await tables.selectFrom('graph_atoms').selectAll().where('id', 'in', ids).execute();
      const molecules = await tables
        .selectFrom('graph_molecules')
        .selectAll()
        .where('id', 'in', ids)
        .execute();
      const document = (ref: string, scope: string, name: string, body: string) => ({
        ref,
        scope,
        fields: [searchWords(name), searchWords(body)],
      });
      return [
        ...atoms.map(({ id, project_id, name, knowledge, paths }) =>
          document(refOf('atom', id), project_id, name, `${knowledge}\n${paths}`),
        ),
        ...molecules.map(({ id, project_id, name, knowledge }) =>
          document(refOf('molecule', id), project_id, name, knowledge),
        ),
      ];
    },
  });

export interface AreaText {
  ref: string;
  title: string;
  text: string;
  updatedAt: string;
}

/** Every molecule and atom as a text: name, patterns, knowledge. */
export async function allTexts(context: AreasContext): Promise<AreaText[]> {
  const { rows } = await sql<AreaText & { paths: string; knowledge: string }>`
    SELECT 'atom:' || id AS ref, name AS title, paths, knowledge, updated_at AS "updatedAt" FROM graph_atoms
    UNION ALL SELECT 'molecule:' || id, name, '[]', knowledge, updated_at FROM graph_molecules`.execute(
    tablesOf(context),
  );
  return rows.map(({ paths, knowledge, ...rest }) => ({
    ...rest,
    text: [rest.title, parseJsonTexts(paths).join(' '), knowledge].filter(Boolean).join('\n\n'),
  }));
}
