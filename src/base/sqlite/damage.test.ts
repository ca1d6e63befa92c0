import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { damages, killedLibrary, openAgain } from '../../../tests/support/damage.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openOrQuarantine, openSalvaging, openSqlite } from './index.ts';
import { inspectWal } from './wal-check.ts';

const rows = 600;

test('what a kill leaves behind opens whole and without a word', async () => {
  const path = join(temporaryDirectory('kill'), 'sylk.db');
  killedLibrary(path, rows);
  expect(await openAgain(path)).toEqual({ notes: rows, torn: 0, integrity: 'ok', notice: undefined });
});

test.each(Object.keys(damages))(
  '%s: the library opens, is sound, keeps the original and says so in one line',
  async (name) => {
    const directory = temporaryDirectory('damage');
    const path = join(directory, 'sylk.db');
    killedLibrary(path, rows);
    damages[name]!(path);
    const opened = await openAgain(path);
    expect(opened.integrity).toBe('ok');
    const harmless = [
      'the shared memory is noise',
      'the log is cut in the middle of a frame',
      'the header is overwritten, but the log has it',
    ].includes(name);
    if (harmless) {
      expect(opened.notes).toBeGreaterThanOrEqual(rows - 1);
      return;
    }
    if (name === 'the file is empty') return;
    expect(opened.notice).toMatch(/^[^\n]*damaged[^\n]*$/);
    expect(readdirSync(directory).some((file) => file.includes('.corrupt.'))).toBe(true);
    if (/page|half|log/.test(name) && !/first page/.test(name))
      expect(opened.notes).toBeGreaterThan(rows / 4);
  },
);

test('a library of which nothing can be read names the way to its backups', async () => {
  const path = join(temporaryDirectory('total'), 'sylk.db');
  killedLibrary(path, rows);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  truncateSync(path, 100);
  const { notice } = await openAgain(path);
  expect(notice).toMatch(/unknown number lost.*sylk library restore --list/);
});

test('every row outside of the damaged pages is saved', async () => {
  const path = join(temporaryDirectory('salvage'), 'sylk.db');
  killedLibrary(path, rows);
  damages['an interior page is overwritten']!(path);
  const { notes, notice } = await openAgain(path);
  expect(notes).toBeGreaterThan(rows - 60);
  expect(notice).toMatch(/\d+ rows saved/);
});

test('a damaged derived database is set aside and a new one takes its place', () => {
  const path = join(temporaryDirectory('derived'), 'index.db');
  killedLibrary(path, rows);
  damages['the header is overwritten']!(path);
  const opened = openOrQuarantine(path);
  expect(opened.sqlite.all("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")).toEqual([]);
  expect(existsSync(opened.quarantined!)).toBe(true);
  opened.sqlite.close();
});

test('a log that was never damaged is never taken for damaged, wherever a kill cut it', () => {
  const path = join(temporaryDirectory('tails'), 'sylk.db');
  killedLibrary(path, rows);
  const wal = readFileSync(`${path}-wal`);
  for (let length = 0; length <= wal.length; length += 517)
    expect(inspectWal(wal.subarray(0, length))).toBe('sound');
});

test('random damage ends in an open library or in a named error, never in a crash', async () => {
  const directory = temporaryDirectory('mutants');
  const original = join(directory, 'original.db');
  killedLibrary(original, 200);
  let state = 20_261_115;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state % below;
  };
  for (let mutant = 0; mutant < 40; mutant++) {
    const path = join(directory, `m${mutant}.db`);
    for (const suffix of ['', '-wal']) {
      const bytes = readFileSync(original + suffix);
      if (random(3) > 0) for (let n = 0; n <= random(4); n++) bytes[random(bytes.length)]! ^= 1 << random(8);
      writeFileSync(path + suffix, random(8) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes);
    }
    const opened = await openAgain(path);
    expect(opened.integrity, `mutant ${mutant}`).toBe('ok');
  }
});

test('a database that belongs to another user is a named failure, not a new file', () => {
  const directory = temporaryDirectory('not-a-file');
  expect(() => openSqlite(directory)).toThrow(`${directory} is a directory`);
});

const inPlace: Record<string, (path: string) => void> = {
  'a FIFO': (path) => execFileSync('mkfifo', [path]),
  'a directory': (path) => mkdirSync(path),
  'a link to a file': (path) => {
    writeFileSync(`${path}.target`, 'of somebody else');
    symlinkSync(`${path}.target`, path);
  },
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
};

test.each(Object.keys(inPlace))('%s in place of a database is named and left as it is', (kind) => {
  for (const open of [openOrQuarantine, (path: string) => openSalvaging(path, {})])
    for (const ending of ['', '-wal']) {
      const path = join(temporaryDirectory('in-place'), 'library.db');
      inPlace[kind]?.(path + ending);
      const before = lstatSync(path + ending);
      expect(() => open(path)).toThrow(`${path}${ending} is a`);
      const { ino, mode, mtimeMs } = lstatSync(path + ending);
      expect({ ino, mode, mtimeMs }).toEqual({ ino: before.ino, mode: before.mode, mtimeMs: before.mtimeMs });
      expect(readdirSync(join(path, '..')).filter((name) => !name.endsWith('.target'))).toEqual([
        `library.db${ending}`,
      ]);
    }
});
