import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openOrQuarantine } from './quarantine.ts';

function open(path: string) {
  const opened = openOrQuarantine(path, { durability: 'normal' });
  onTestFinished(opened.sqlite.close);
  return opened;
}

function made(): string {
  const path = join(temporaryDirectory('print'), 'index.db');
  const { sqlite } = open(path);
  sqlite.write(() => sqlite.exec('CREATE TABLE names (name TEXT)'));
  sqlite.run('INSERT INTO names VALUES (?)', 'a name to be damaged');
  sqlite.close();
  return path;
}

test('any wrong bit of a file that can be derived again is found when it is opened', () => {
  const path = made();
  const whole = readFileSync(path);
  for (let byte = 0; byte < whole.length; byte += 97) {
    const bytes = Buffer.from(whole);
    bytes[byte] = (bytes[byte] ?? 0) ^ (1 << (byte % 8));
    const print = readFileSync(`${path}.checked`);
    writeFileSync(path, bytes);
    const { sqlite, quarantined } = open(path);
    sqlite.close();
    expect([byte, quarantined !== undefined]).toEqual([byte, true]);
    writeFileSync(path, whole);
    writeFileSync(`${path}.checked`, print);
  }
});

test('what any process writes, in whatever way, is never taken for damage', () => {
  const path = made();
  const ways: Array<(sqlite: ReturnType<typeof open>['sqlite']) => void> = [
    (sqlite) => sqlite.write(() => sqlite.run('INSERT INTO names VALUES (?)', 'x'.repeat(50_000))),
    (sqlite) => sqlite.run('DELETE FROM names'),
    (sqlite) => sqlite.exec("INSERT INTO names VALUES ('y')"),
    (sqlite) => sqlite.prepare('UPDATE names SET name = ?').run('z'),
    (sqlite) => {
      sqlite.exec('BEGIN IMMEDIATE');
      sqlite.exec("INSERT INTO names VALUES ('w')");
      sqlite.exec('COMMIT');
    },
  ];
  for (const write of ways) {
    const [writer, reader] = [open(path), open(path)];
    write(writer.sqlite);
    reader.sqlite.close();
    write(writer.sqlite);
    // As if this process were killed: its connection is never closed by us.
    writer.sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const other = open(path);
    expect(other.quarantined).toBe(undefined);
    other.sqlite.close();
    writer.sqlite.close();
    const later = open(path);
    expect(later.quarantined).toBe(undefined);
    later.sqlite.close();
    expect(existsSync(`${path}.checked`)).toBe(true);
  }
});
