import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Random = () => number;

/** Mulberry32: the same seed gives the same history on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const folders = ['', 'src/', 'src/auth/', 'lib/core/session/', 'docs/', 'src/auth/__tests__/'];
const names = ['a.ts', 'b.ts', 'index.ts', 'view.py', 'yarn.lock', 'LoginForm.tsx'];
const words = 'add fix session login cache view retry rename token parser window off by one'.split(' ');
const tags = ['auth', 'core', 'redis', 'session', 'x'];

/** Commits in any shape: branches, merges with and without changes of their own, renames, deletes, tag lines. */
export function writeRandomHistory(directory: string, random: Random, commits: number): string[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const trees: Array<Map<string, string>> = [];
  const stream: string[] = [];
  let time = 1_700_000_000;
  for (let at = 0; at < commits; at++) {
    const parents: number[] = [];
    if (at > 0 && random() > 0.03) {
      parents.push(random() < 0.75 ? at - 1 : Math.floor(random() * at));
      while (parents.length < 3 && random() < 0.2) {
        const other = Math.floor(random() * at);
        if (!parents.includes(other)) parents.push(other);
      }
    }
    const tree = new Map<string, string>();
    for (const parent of parents.toReversed())
      for (const [path, text] of trees[parent]!) tree.set(path, text);
    const edits = parents.length > 1 ? (random() < 0.3 ? 1 : 0) : 1 + Math.floor(random() * 3);
    for (let edit = 0; edit < edits; edit++) change(tree, random, pick, at);
    trees.push(tree);
    time += pick([0, 0, 60, 60, 3600, -3600]);
    stream.push(commitText(at, parents, tree, time, messageText(random, pick)));
  }
  const marks = join(directory, '.git', 'test-marks');
  const done = spawnSync(
    'git',
    ['-C', directory, 'fast-import', '--quiet', '--force', `--export-marks=${marks}`],
    {
      input: stream.join(''),
      encoding: 'utf8',
    },
  );
  if (done.status !== 0) throw new Error(done.stderr);
  const shas: string[] = [];
  for (const line of readFileSync(marks, 'utf8').trim().split('\n')) {
    const [mark, sha] = line.split(' ');
    shas[Number(mark!.slice(1)) - 1] = sha!;
  }
  return shas;
}

function change(
  tree: Map<string, string>,
  random: Random,
  pick: <T>(from: readonly T[]) => T,
  at: number,
): void {
  const paths = [...tree.keys()];
  const dice = random();
  const fresh = pick(folders) + pick(names);
  if (paths.length === 0 || dice < 0.3) {
    tree.set(fresh, `${Math.floor(random() * 5)}\n`.repeat(20) + at);
  } else if (dice < 0.6) {
    const path = pick(paths);
    tree.set(path, `${tree.get(path)!}\n${at}`);
  } else if (dice < 0.75) {
    tree.delete(pick(paths));
  } else {
    const path = pick(paths);
    const text = tree.get(path)!;
    tree.delete(path);
    tree.set(fresh, random() < 0.5 ? text : `${text}\n${at}`);
    if (random() < 0.2) tree.set(path, `another file ${at}\n`.repeat(30));
  }
}

function messageText(random: Random, pick: <T>(from: readonly T[]) => T): string {
  let text = `${pick(['feat: ', 'fix(auth): ', '', 'refactor!: '])}${pick(words)} ${pick(words)} ${pick(words)}`;
  if (random() < 0.3) text += `\n\n${pick(words)} the ${pick(words)}Form`;
  if (random() < 0.4) {
    const operations = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => pick(['', '+', '-']) + pick(tags),
    );
    text += `\n\ntags: ${operations.join(', ')}`;
  }
  return text;
}

function commitText(
  at: number,
  parents: number[],
  tree: Map<string, string>,
  time: number,
  message: string,
): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const who = `Ada <ada@example.org> ${time} +0000`;
  const lines = [
    `commit refs/heads/c${at}\nmark :${at + 1}\nauthor ${who}\ncommitter ${who}\n${data(message)}`,
  ];
  for (const [index, parent] of parents.entries())
    lines.push(`${index === 0 ? 'from' : 'merge'} :${parent + 1}\n`);
  lines.push('deleteall\n');
  for (const [path, text] of tree) lines.push(`M 100644 inline ${path}\n${data(text)}`);
  return lines.join('');
}
