import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { createLog } from '../log.ts';
import { runProcess } from '../process/index.ts';
import { person } from './index.ts';

test('a file is replaced whole: mode and link are kept, nothing else is left behind', () => {
  const directory = temporaryDirectory('atomic');
  const file = join(directory, 'a.txt');
  writeFileSync(file, 'old');
  chmodSync(file, 0o640);
  symlinkSync(file, join(directory, 'link'));
  person.write(join(directory, 'link'), 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(lstatSync(join(directory, 'link')).isSymbolicLink()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(directory).sort()).toEqual(['a.txt', 'link']);
});

test('bytes are written as they are, and missing directories are made', () => {
  const file = join(temporaryDirectory('bytes'), 'deep', 'er', 'b');
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0, 13, 10, 255]);
  person.write(file, bytes, { mode: 0o600 });
  expect(readFileSync(file).equals(bytes)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a write that fails leaves the old file and no temporary one', () => {
  const directory = temporaryDirectory('fail');
  mkdirSync(join(directory, 'taken'));
  expect(() => person.write(join(directory, 'taken'), 'x')).toThrow();
  expect(readdirSync(directory)).toEqual(['taken']);
});

test('a kill in the middle leaves the old content or the new, never a mixture', async () => {
  const directory = temporaryDirectory('kill');
  const file = join(directory, 'state');
  const versions = ['a', 'b'].map((letter) => letter.repeat(200_000));
  writeFileSync(file, versions[0]!);
  const script = `import { person } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(process.argv[1]));
    for (let n = 0; ; n++) { person.write(${JSON.stringify(file)}, (n % 2 ? 'a' : 'b').repeat(200000)); await null; if (n % 5 === 0) await new Promise((r) => setImmediate(r)); }`;
  for (const delay of [5, 11, 17, 23]) {
    await runProcess(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      script,
      String(delay),
    ]);
    expect(versions.includes(readFileSync(file, 'utf8'))).toBe(true);
  }
});

test('what is missing reads as nothing, what cannot be read is an error', () => {
  const directory = temporaryDirectory('read');
  expect(person.readText(join(directory, 'no'))).toBeUndefined();
  expect(() => person.readText(directory)).toThrow(/directory/);
  writeFileSync(join(directory, 'f'), '');
  expect(person.readText(join(directory, 'f', 'below'))).toBeUndefined();
  symlinkSync('self', join(directory, 'self'));
  expect(() => person.readText(join(directory, 'self'))).toThrow(/ELOOP|cannot be reached/);
});

test('a log has one JSON object a line, no secret, a bounded size, and never throws', () => {
  const file = join(temporaryDirectory('log'), 'run', 'x.log');
  const told: string[] = [];
  const log = createLog({ file, level: 'info', maxBytes: 5000, tell: (line) => told.push(line) }).with({
    session: 's1',
  });
  log.debug('not written');
  for (let n = 0; n < 100; n++) log.info(`line ${n}`, { token: `ghp_${'a1'.repeat(18)}` });
  log.warn('attention');
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toMatchObject({ level: 'warn', message: 'attention', session: 's1' });
  expect(readFileSync(`${file}.1`, 'utf8')).not.toContain('ghp_');
  expect(statSync(file).size).toBeLessThan(6000);
  expect(told).toEqual(['warn: attention']);
  expect(() => createLog({ file: '/dev/null/no/log' }).error('x')).not.toThrow();
});
