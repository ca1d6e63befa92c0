import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGit, findRepository } from '../../src/base/git/index.ts';
import { openHistory } from '../../src/stores/history/index.ts';
import { defaultSettings } from '../../src/stores/history/settings.ts';
import { dumpHistory } from './history-dump.ts';

/** `advance`: new commits on top. `rewrite`: HEAD moved to another line. `rebuild`: everything anew over an index. */
const kindsOfWork = ['build', 'advance', 'rewrite', 'rebuild'] as const;

export interface KillReport {
  work: (typeof kindsOfWork)[number];
  /** Statements and names on disk that the whole work takes. */
  writes: number;
  kills: number;
  /** What a kill left, and how often. */
  states: Map<string, number>;
  broken: string[];
}

/**
 * Kills indexing at writes spread evenly over each kind of work. The next start must end equal to a rebuild and leave
 * nothing behind. Works on a copy of the repository's refs.
 */
export async function killWhileIndexing(from: string, kills: number): Promise<KillReport[]> {
  const place = mkdtempSync(join(tmpdir(), 'sylk-history-kills-'));
  try {
    const world = openWorld(from, place);
    const reports: KillReport[] = [];
    for (const work of kindsOfWork)
      reports.push(await killThrough(world, work, Math.ceil(kills / kindsOfWork.length)));
    return reports;
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

type World = ReturnType<typeof openWorld>;

function openWorld(from: string, place: string) {
  const copy = join(place, 'copy.git');
  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  git('clone', '-q', '--bare', '--shared', from, copy);
  const inCopy = (...args: string[]) => git('--git-dir', copy, ...args);
  const identity = ['-c', 'user.name=lab', '-c', 'user.email=lab@example.org'];
  const newest = inCopy('rev-parse', 'HEAD');
  const line = inCopy('rev-list', '--first-parent', 'HEAD').split('\n');
  const older = line[Math.ceil(line.length / 8)]!;
  const rewritten = inCopy(...identity, 'commit-tree', `${newest}^{tree}`, '-p', older, '-m', 'rewritten');
  const repository = findRepository(copy, {});
  const open = (path: string) =>
    openHistory({
      path,
      repository,
      git: createGit(copy),
      settings: { ...defaultSettings, snapshotFrequency: 0 },
    });
  /** Everything the index answers after it was brought to HEAD. */
  const answersOf = async (path: string): Promise<string> => {
    const history = open(path);
    await history.update();
    const answers = JSON.stringify(dumpHistory(history, (await history.ready()).view));
    history.close();
    return answers;
  };
  return {
    place,
    index: join(place, 'history.db'),
    heads: {
      build: { before: undefined, after: newest },
      advance: { before: older, after: newest },
      rewrite: { before: newest, after: rewritten },
      rebuild: { before: newest, after: newest },
    },
    moveTo: (commit: string) => inCopy('update-ref', 'HEAD', commit),
    answersOf,
    run: (path: string, point: number, work: string) =>
      spawnSync(process.execPath, [writer, copy, path, String(point), work], {
        encoding: 'utf8',
        env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'sylk-compile-cache') },
      }),
  };
}

const writer = join(import.meta.dirname, 'history-writer.ts');

async function killThrough(world: World, work: KillReport['work'], kills: number): Promise<KillReport> {
  const { place, index, moveTo, answersOf, run } = world;
  const { before, after } = world.heads[work];
  const start = join(place, `${work}-start.db`);
  if (before !== undefined) {
    moveTo(before);
    await answersOf(start);
  }
  moveTo(after);
  const wanted = await answersOf(join(place, `${work}-wanted.db`));
  const begin = () => {
    for (const name of readdirSync(place))
      if (name.startsWith('history.db')) rmSync(join(place, name), { force: true });
    if (before !== undefined) copyFileSync(start, index);
  };
  begin();
  const { stdout, stderr } = run(index, 0, work);
  const writes = Number(stdout);
  if (!(writes > 0)) throw new Error(`The work was not done: ${stderr}`);
  const report: KillReport = { work, writes, kills: 0, states: new Map(), broken: [] };
  for (let turn = 0; turn < kills; turn++) {
    begin();
    const point = 1 + Math.floor((turn * 2 * writes) / kills);
    if (run(index, point, work).signal !== 'SIGKILL') continue;
    report.kills++;
    const state = stateOf(place, index);
    report.states.set(state, (report.states.get(state) ?? 0) + 1);
    const same = (await answersOf(index)) === wanted;
    const left = readdirSync(place).filter((name) => name.startsWith('history.db.new-'));
    if (!same || left.length > 0)
      report.broken.push(`${work} killed at ${point} of ${2 * writes}: ${same ? left.join(' ') : 'differs'}`);
  }
  return report;
}

/** Sizes of what lies there, rough enough to tell states and not moments apart. */
function stateOf(place: string, index: string): string {
  const size = (path: string) => Math.ceil((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 65_536);
  const beside = readdirSync(place).find((name) => name.startsWith('history.db.new-'));
  return [
    existsSync(index) ? `index ${size(index)}` : 'no index',
    `log ${size(`${index}-wal`)}`,
    beside === undefined ? 'nothing beside' : `beside ${size(join(place, beside))}`,
  ].join(', ');
}
