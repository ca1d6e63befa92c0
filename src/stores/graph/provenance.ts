import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { texts } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import { idOf, isRefOf, refText } from '../../base/ref.ts';
import type { GraphContext } from './context.ts';
import { idIn, intern } from './nodes.ts';
import type { Source } from './records.ts';
import type { GraphTables } from './tables.ts';

/** Records a source of something. A repeated source takes the new confidence. */
export async function recordSources(context: GraphContext, ref: string, sources: Source[]): Promise<void> {
  const { library, clock } = context;
  await library.write(async () => {
    const refs = sources.flatMap(({ ref: source }) => (source ? [source] : []));
    const ids = await intern(context, [ref, ...refs]);
    const node = idIn(ids, ref);
    for (const given of sources.map((one) => redactValue(one))) {
      const source = given.ref ? idIn(ids, given.ref) : null;
      if (source === node) continue;
      if (
        source === null &&
        !given.path &&
        !given.url &&
        given.type !== 'llm_inference' &&
        given.type !== 'user_provided'
      ) {
        throw new SylkError('VALIDATION_ERROR', 'A source must name a ref, a path or a URL.', {
          hint: "Only an inference or a person's statement can be without one.",
        });
      }
      await sql`INSERT INTO ref_sources (node, type, source, path, line, end_line, url, confidence, verified_at, created_at)
        VALUES (${node}, ${given.type}, ${source}, ${given.path ?? null}, ${given.line ?? null}, ${given.end_line ?? null},
          ${given.url ?? null}, ${given.confidence}, ${given.verified_at ?? null}, ${clock.now()})
        ON CONFLICT (node, type, coalesce(source, 0), coalesce(path, ''), coalesce(line, 0), coalesce(url, '')) DO UPDATE SET
          end_line = excluded.end_line, confidence = excluded.confidence,
          verified_at = coalesce(excluded.verified_at, ref_sources.verified_at)`.execute(context.db());
    }
  });
}

type SourceRow = GraphTables['ref_sources'] & { ref: string | null };

/** The sources of something, most certain first. */
export async function sourcesOf({ db }: GraphContext, ref: string): Promise<Source[]> {
  const { rows } = await sql<SourceRow>`
    SELECT s.ref, p.type, p.path, p.line, p.end_line, p.url, p.confidence, p.verified_at
    FROM ref_sources p JOIN ref_nodes n ON n.id = p.node LEFT JOIN ref_nodes s ON s.id = p.source
    WHERE n.ref = ${refText(ref)} ORDER BY p.confidence DESC, p.id`.execute(db());
  return rows.map((row) => ({
    type: row.type,
    confidence: row.confidence,
    verified_at: row.verified_at,
    ref: row.ref || undefined,
    path: row.path || undefined,
    line: row.line ?? undefined,
    end_line: row.end_line ?? undefined,
    url: row.url || undefined,
  }));
}

/** Everything derived from any of the refs, recursively. A file includes its symbols. */
export async function derivedFrom({ db }: GraphContext, refs: string | string[]): Promise<string[]> {
  const starts = [refs].flat().map(refText);
  const paths = starts.filter((ref) => isRefOf(ref, 'file')).map((ref) => idOf(ref));
  const { rows } = await sql<{ ref: string }>`
    WITH RECURSIVE made (id) AS (
      SELECT node FROM ref_sources WHERE source IN (SELECT id FROM ref_nodes WHERE ref IN ${texts(starts)})
        OR path IN ${texts(paths)} OR url IN ${texts(starts)}
      UNION
      SELECT p.node FROM made JOIN ref_sources p ON p.source = made.id)
    SELECT n.ref FROM made JOIN ref_nodes n ON n.id = made.id WHERE n.ref NOT IN ${texts(starts)} ORDER BY n.id`.execute(
    db(),
  );
  return rows.map(({ ref }) => ref);
}
