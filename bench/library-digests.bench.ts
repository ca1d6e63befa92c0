import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coverRows, findDamagedRows, openSqlite, type Sqlite } from '../src/base/sqlite/index.ts';
import type { Bench } from './run-named.ts';

const text = 'What was decided, and why it was decided like that. '.repeat(6);

/** What digests cost: single writes, writes in bulk, and the check at opening, beside the same without digests. */
const run: Bench = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'library-digests-'));
  try {
    const make = (name: string, covered: boolean): Sqlite => {
      const sqlite = openSqlite(join(directory, name), { guarded: true });
      sqlite.exec(
        'CREATE TABLE rows (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c REAL); CREATE INDEX rows_b ON rows (b)',
      );
      if (covered) coverRows(sqlite);
      return sqlite;
    };
    const [plain, covered] = [make('plain.db', false), make('covered.db', true)];
    const insert = (sqlite: Sqlite, at: number) =>
      sqlite.run('INSERT INTO rows (a, b, c) VALUES (?, ?, ?)', text, `name ${at}`, at / 7);
    compare('500 single writes', (sqlite) => {
      for (let at = 0; at < 500; at++) insert(sqlite, at);
    });
    compare('100,000 rows in one write', (sqlite) =>
      sqlite.write(() => {
        for (let at = 0; at < 100_000; at++) insert(sqlite, at);
      }),
    );
    const quick = time(() => covered.get('PRAGMA quick_check(1)'));
    const full = time(() => covered.get('PRAGMA integrity_check(1)'));
    const rows = time(() => findDamagedRows(covered));
    console.log(
      `opening 100,500 rows: quick_check ${quick} ms, integrity_check ${full} ms, digests of all rows ${rows} ms`,
    );
    for (const sqlite of [plain, covered]) sqlite.close();

    function compare(what: string, work: (sqlite: Sqlite) => void): void {
      const [without, withDigests] = [time(() => work(plain)), time(() => work(covered))];
      console.log(
        `${what}: ${without} ms without digests, ${withDigests} ms with: × ${(withDigests / without).toFixed(2)}`,
      );
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return Math.round(performance.now() - start);
}

export default run;
