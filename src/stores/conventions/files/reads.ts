import { type Clock, isoTime } from '../../../base/clock.ts';
import type { Sqlite } from '../../../base/sqlite/index.ts';

export interface Read {
  session: string;
  path: string;
  startLine: number;
  endLine: number;
  hash: string;
}

export interface ReadFile {
  path: string;
  start_line: number;
  end_line: number;
  hash: string;
  read_at: string;
  times: number;
}

const keptSessions = 50;

/** Which files a session has received, so that the same text is not sent twice. */
export type ReadLog = ReturnType<typeof createReadLog>;

export function createReadLog(sqlite: () => Sqlite, root: string, clock: Clock) {
  return {
    /** When this session received exactly this text, if it did. */
    seen: ({ session, path, startLine, endLine, hash }: Read): string | undefined => {
      const row = sqlite().get<{ read_at: number }>(
        `SELECT read_at FROM conventions_reads
         WHERE session = ? AND root = ? AND path = ? AND hash = ? AND start_line <= ? AND end_line >= ?`,
        ...[session, root, path, hash, startLine, endLine],
      );
      return row && isoTime(row.read_at);
    },
    record: ({ session, path, startLine, endLine, hash }: Read): void => {
      const db = sqlite();
      db.write(() => {
        db.run(
          `INSERT INTO conventions_reads (session, root, path, start_line, end_line, hash, read_at, times)
           VALUES (?, ?, ?, ?, ?, ?, ?, 1)
           ON CONFLICT (session, root, path, start_line, end_line) DO UPDATE SET
             hash = excluded.hash, read_at = excluded.read_at, times = times + 1`,
          ...[session, root, path, startLine, endLine, hash, clock.now()],
        );
        db.run(
          `DELETE FROM conventions_reads WHERE session NOT IN
             (SELECT session FROM conventions_reads GROUP BY session ORDER BY max(read_at) DESC LIMIT ?)`,
          keptSessions,
        );
      });
    },
    list: (session: string): ReadFile[] =>
      sqlite()
        .all<Omit<ReadFile, 'read_at'> & { read_at: number }>(
          `SELECT path, start_line, end_line, hash, read_at, times FROM conventions_reads
           WHERE session = ? AND root = ? ORDER BY read_at DESC, path, start_line`,
          session,
          root,
        )
        .map((row) => ({ ...row, read_at: isoTime(row.read_at) })),
    forget: (session: string): number =>
      sqlite().write(
        () =>
          sqlite().run('DELETE FROM conventions_reads WHERE session = ? AND root = ?', session, root).changes,
      ),
  };
}
