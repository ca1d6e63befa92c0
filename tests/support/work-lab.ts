import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/base/clock.ts';
import { embeddedOf, openLibrary } from '../../src/base/library/index.ts';
import { openAreas } from '../../src/stores/areas/index.ts';
import { openWork } from '../../src/stores/work/index.ts';

const pipelines = { feature: ['NEW', 'ACTIVE', 'CLOSED'], task: ['NEW', 'ACTIVE', 'CLOSED'] };
const person = { actor: 'lab', person: true };
const writer = join(import.meta.dirname, 'work-writer.ts');
/** How long the claimant that is killed asks for. */
const holdSeconds = 600;

function open(path: string) {
  const library = openLibrary({ url: path });
  const work = openWork({ library, clock: systemClock, pipelines });
  const around = { projectExists: async () => true, taskExists: async () => true };
  return { library, work, areas: openAreas({ library, clock: systemClock, around }) };
}

function start(args: string[], onLine: (line: string) => void = () => {}) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', writer, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'sylk-compile-cache') },
  });
  const lines: string[] = [];
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    onLine(line);
  });
  const ended = new Promise<{ lines: string[]; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0 || signal === 'SIGKILL'
        ? resolve({ lines, signal })
        : reject(new Error(`${args[0]}: ${code} ${said.slice(0, 2000)}`)),
    );
  });
  return { child, ended };
}

const task = (title: string) => ({
  kind: 'task' as const,
  name: title,
  summary: 's',
  priority: 'MEDIUM' as const,
  complexity: 3,
});

/** Processes that take tasks from one library at the same time. Answers how often each task was taken. */
export async function runClaimers(
  path: string,
  processes: number,
  tasks: number,
): Promise<Map<string, number>> {
  const { library, work } = open(path);
  const taken = new Map<string, number>();
  for (let at = 0; at < tasks; at++)
    taken.set((await work.createContainer(person, task(`task ${at}`))).id, 0);
  await library.close();
  const claimers = Array.from({ length: processes }, () => start(['claim', path]).ended);
  for (const { lines } of await Promise.all(claimers))
    for (const id of lines) taken.set(id, (taken.get(id) ?? 0) + 1);
  return taken;
}

/**
 * A claimant takes the only task and is killed. Answers whether it was kept from others, and who got it once the lease
 * had run out. Time is moved and not waited for: on a busy machine a lease that is short enough to wait for is over
 * before anybody has looked.
 */
export async function runKilledClaimant(path: string): Promise<{ heldBack: boolean; returned: boolean }> {
  const { library, work } = open(path);
  const { id } = await work.createContainer(person, task('the only one'));
  let claimed = () => {};
  const isClaimed = new Promise<void>((resolve) => {
    claimed = resolve;
  });
  const { child, ended } = start(['hold', path, String(holdSeconds)], () => claimed());
  await isClaimed;
  child.kill('SIGKILL');
  await ended;
  const next = { claimant: 'next', leaseSeconds: 60 };
  const heldBack = (await work.claimTask(person, next)) === undefined;
  const afterTheLease = { now: () => systemClock.now() + (holdSeconds + 1) * 1000 };
  const later = openWork({ library, clock: afterTheLease, pipelines });
  const got = (await later.claimTask(person, next))?.task.id;
  await library.close();
  return { heldBack, returned: got === id };
}

/** Processes that raise one version. Every success raised it once, every loser was told the current one. */
export async function runBumpers(
  path: string,
  processes: number,
  times: number,
): Promise<{ won: number; version: number }> {
  const { library, work, areas } = open(path);
  const project = await work.createContainer(person, { kind: 'project', name: 'P', summary: 's' });
  const atom = await areas.createAtom(person, { projectId: project.id, name: 'A', paths: ['**'] });
  const bumpers = Array.from(
    { length: processes },
    () => start(['bump', path, atom.id, String(times)]).ended,
  );
  const won = (await Promise.all(bumpers)).reduce((sum, { lines }) => sum + Number(lines[0]), 0);
  const { version } = await areas.getAtom(atom.id, { changelogLimit: 0 });
  await library.close();
  return { won, version };
}

export interface KillReport {
  kills: number;
  acknowledged: number;
  states: number;
}

/** Kills a writer at each failpoint in turn, on one library, and checks after every kill what was acknowledged. */
export async function runKilledWriters(path: string, points: number[]): Promise<KillReport> {
  const first = open(path);
  await first.work.createContainer(person, { kind: 'project', name: 'P', summary: 's' });
  await first.library.close();
  const facts = new Map<string, number>();
  const states = new Set<string>();
  let kills = 0;
  for (const point of points) {
    const last: string[] = [];
    const { signal } = await start(['crash', path, String(point)], (line) => {
      const [kind, id, value] = line.split(' ');
      if (!id) return;
      facts.set(`${kind} ${id}`, Number(value));
      last.push(kind!);
    }).ended;
    if (signal === 'SIGKILL') kills++;
    states.add(`${last.length} ${last.at(-1)} ${point % 2}`);
    await check(path, facts);
  }
  return { kills, acknowledged: facts.size, states: states.size };
}

async function check(path: string, facts: Map<string, number>): Promise<void> {
  const { library, work, areas } = open(path);
  try {
    const verdict = JSON.stringify(embeddedOf(library).all('PRAGMA integrity_check'));
    if (verdict !== '[{"integrity_check":"ok"}]') throw new Error(`integrity: ${verdict}`);
    if (embeddedOf(library).all('PRAGMA foreign_key_check').length > 0)
      throw new Error('foreign keys are broken');
    for (const [fact, value] of facts) {
      const [kind, id] = fact.split(' ') as [string, string];
      const found =
        kind === 'task'
          ? (await work.getContainer('task', id)).version
          : kind === 'sections'
            ? (await work.querySections({ entityType: 'TASK', entityId: id, includeContent: false })).length
            : kind === 'atom'
              ? (await areas.getAtom(id, { changelogLimit: 0 })).version
              : (await areas.searchChangelog({ parentType: 'atom', parentId: id, limit: 1, offset: 0 }))
                  .total;
      if (found < value) throw new Error(`acknowledged but lost: ${fact} ${value}, found ${found}`);
    }
    const torn = embeddedOf(library).get<{ n: number }>(
      `SELECT count(*) AS n FROM work_containers c WHERE c.kind = 'task'
       AND (SELECT count(*) FROM work_tags t WHERE t.entity_id = c.id) <> 2`,
    )!.n;
    if (torn > 0) throw new Error(`${torn} tasks were written by half`);
  } finally {
    await library.close();
  }
}
