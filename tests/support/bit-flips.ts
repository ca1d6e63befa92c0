import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedClock } from '../../src/base/clock.ts';
import { embeddedOf, openLibrary } from '../../src/base/library/index.ts';
import { coveredTables } from '../../src/base/sqlite/digests.ts';
import type { Sqlite } from '../../src/base/sqlite/index.ts';
import { readPages } from '../../src/base/sqlite/raw-pages.ts';
import { treePages } from '../../src/base/sqlite/raw-records.ts';
import { openChronicle } from '../../src/stores/chronicle/index.ts';
import { openSessions } from '../../src/stores/sessions/index.ts';
import { openWork } from '../../src/stores/work/index.ts';

export interface FlipLibrary {
  file: Buffer;
  wal: Buffer;
  /** Every row of every table as text. */
  rows: string[];
}

/** A library of exactly `count` rows over several stores, as files. `inLog` leaves the newest of them in the log only. */
export async function flipLibrary(
  directory: string,
  { count = 500, inLog = false }: { count?: number; inLog?: boolean } = {},
): Promise<FlipLibrary> {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'made.db');
  const clock = fixedClock();
  const library = openLibrary({ url: path });
  const sessions = openSessions({ library, clock });
  const chronicle = openChronicle({ library, clock, promotion: { uses: 3, sessions: 3 } });
  const work = openWork({ library, clock, pipelines: { feature: ['NEW'], task: ['NEW', 'CLOSED'] } });
  const size = () => dumpRows(embeddedOf(library)).length;
  const session = await sessions.create({ name: 'flips' });
  for (let at = 0; size() < count - 120; at++) {
    const long = at % 20 === 0 ? 'word '.repeat(2000) : '';
    await chronicle.store({
      session_id: session.id,
      category: 'decision',
      title: `Decision ${at}`,
      content: `Number ${at} holds. ${'lorem ipsum '.repeat(at % 40)}${long}`,
      source: 'lab',
      source_kind: 'agent',
    });
    const task = {
      kind: 'task',
      name: `Task ${at}`,
      summary: `About ${at}.`,
      priority: 'MEDIUM',
      complexity: 5,
    } as const;
    await work.createContainer({ actor: 'ada', person: true }, task);
  }
  embeddedOf(library).exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const fill = library.marks('fill');
  for (let at = 0; size() < count; at++) await fill.set(`mark ${at}`, `value ${at} ${'y'.repeat(at)}`);
  if (!inLog) embeddedOf(library).exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const rows = dumpRows(embeddedOf(library));
  const file = readFileSync(path);
  const wal = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0);
  await library.close();
  return { file, wal, rows };
}

export function dumpRows(sqlite: Sqlite): string[] {
  const rows: string[] = [];
  for (const table of coveredTables(sqlite)) {
    const statement = sqlite.db.prepare(`SELECT * FROM "${table}"`);
    statement.setReadBigInts(true);
    for (const row of statement.all())
      rows.push(
        `${table} ${JSON.stringify(Object.values(row), (_, value) => (typeof value === 'bigint' ? `${value}n` : value))}`,
      );
  }
  return rows.sort();
}

/** Bytes of the pages that hold the schema, the header of the file included. */
export function schemaBytes(path: string): number[] {
  const pages = readPages(path);
  const size = pages.page(1)?.length ?? 0;
  return treePages(pages, 1).numbers.flatMap((number) =>
    Array.from({ length: size }, (_, offset) => (number - 1) * size + offset),
  );
}

export type Flip = { where: 'file' | 'wal'; bit: number };
export interface Verdict {
  outcome: 'equal' | 'saved all' | 'lost some';
  lost: number;
}

/** Flips one bit, opens the library as the product does, and throws where the promise is broken. */
export async function tryFlip(directory: string, made: FlipLibrary, { where, bit }: Flip): Promise<Verdict> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'sylk.db');
  const [file, wal] = [Buffer.from(made.file), Buffer.from(made.wal)];
  const bytes = where === 'file' ? file : wal;
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  writeFileSync(path, file);
  if (wal.length > 0) writeFileSync(`${path}-wal`, wal);
  // The copy of the day is there and cannot be read: no row comes back from it, and none is made.
  const now = new Date().toISOString().replace(/[:.]/g, '-');
  mkdirSync(join(directory, 'backups'));
  writeFileSync(join(directory, 'backups', `sylk-daily-${now}-1.db`), 'no database');
  const library = openLibrary({ url: path });
  const rows = dumpRows(embeddedOf(library));
  const { notice, damaged } = library;
  await library.close();
  const fail = (why: string): never => {
    throw new Error(`${where} bit ${bit}: ${why}; said ${notice ?? 'nothing'}`);
  };
  if (!damaged) {
    if (rows.join('\n') !== made.rows.join('\n')) fail('rows differ, and nothing was said');
    return { outcome: 'equal', lost: 0 };
  }
  const [, saved, lost] = /(\d+) rows saved, (\d+) lost/.exec(notice ?? '') ?? [];
  if (Number(saved) + Number(lost) !== made.rows.length) fail(`saved and lost are not ${made.rows.length}`);
  const known = new Set(made.rows);
  // Followers of a salvaged library start again: the mark of its change feed is a new one on purpose.
  const wrong = rows.find((row) => !known.has(row) && !row.startsWith('_marks ["changes","epoch",'));
  if (wrong) fail(`a row that was never written: ${wrong.slice(0, 200)}`);
  if (rows.length !== Number(saved)) fail(`${rows.length} rows are there`);
  const again = openLibrary({ url: path });
  const quiet = again.notice === undefined;
  await again.close();
  if (!quiet) fail('the next opening is not quiet');
  return { outcome: Number(lost) === 0 ? 'saved all' : 'lost some', lost: Number(lost) };
}
