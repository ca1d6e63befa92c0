import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { embeddedOf, openLibrary } from '../src/base/library/index.ts';
import { openAreas } from '../src/stores/areas/index.ts';
import { openWork } from '../src/stores/work/index.ts';
import type { Bench } from './run-named.ts';

const by = { actor: 'bench', person: true };
const pipelines = { feature: ['NEW', 'ACTIVE', 'CLOSED'], task: ['NEW', 'ACTIVE', 'CLOSED'] };
const priorities = ['HIGH', 'MEDIUM', 'LOW'] as const;

/** Processor time of everything since, in milliseconds per call: what a busy machine does not distort. */
async function processorTime(calls: number, work: (at: number) => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage();
  for (let at = 0; at < calls; at++) await work(1_000_000 + at);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000 / calls;
}

/** Median of several rounds, in milliseconds per call. */
async function median(
  rounds: number,
  calls: number,
  work: (at: number) => Promise<unknown> | unknown,
): Promise<number> {
  const times: number[] = [];
  let at = 0;
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    for (let call = 0; call < calls; call++) await work(at++);
    times.push((performance.now() - from) / calls);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
}

function openStores(path: string) {
  const library = openLibrary({ url: path });
  const around = { projectExists: async () => true, taskExists: async () => true };
  return {
    library,
    work: openWork({ library, clock: systemClock, pipelines }),
    areas: openAreas({ library, clock: systemClock, around }),
  };
}

/** Many tasks at once, as SQL: the bench is about what comes after. */
function fillTasks(library: ReturnType<typeof openLibrary>, project: string, size: number): void {
  const sqlite = embeddedOf(library);
  sqlite.write(() => {
    sqlite.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO work_containers (id, kind, project_id, name, summary, status, priority, complexity, created_at, modified_at, modified_by)
       SELECT printf('f%07d-0000-4000-8000-000000000000', i), 'task', ?, 'Task number ' || i, 'Does the thing with the number ' || i,
         'NEW', 1 + i % 3, 1 + i % 10, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'bench' FROM n`,
      size,
      project,
    );
    sqlite.exec("INSERT INTO work_tags SELECT id, kind, 'bench' FROM work_containers WHERE kind = 'task'");
  });
}

/** The rows of one new task, written by hand in one transaction: what the database itself takes. */
function writeByHand(library: ReturnType<typeof openLibrary>, project: string, at: number): void {
  const sqlite = embeddedOf(library);
  const id = randomUUID();
  const now = new Date().toISOString();
  sqlite.write(() => {
    sqlite.run(
      `INSERT INTO work_containers (id, kind, project_id, name, summary, status, priority, complexity, created_at, modified_at, modified_by)
       VALUES (?, 'task', ?, ?, ?, 'NEW', ?, ?, ?, ?, 'bench')`,
      ...[id, project, `Task number ${at}`, `Does the thing with the number ${at}.`, 1 + (at % 3)],
      ...[1 + (at % 10), now, now],
    );
    sqlite.run("INSERT INTO work_tags VALUES (?, 'task', 'bench')", id);
    sqlite.run(
      "INSERT INTO _journal (at, actor, action, ref, project, detail) VALUES (?, 'bench', 'create', ?, ?, '{}')",
      ...[now, `task:${id}`, project],
    );
  });
}

const exponent = (sizes: number[], times: number[]): string =>
  (Math.log(times.at(-1)! / times[0]!) / Math.log(sizes.at(-1)! / sizes[0]!)).toFixed(2);

/** P12: area knowledge for 100 paths. P13: create, next and claim with many tasks. */
const bench: Bench = async ({ words }) => {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-work-bench-'));
  try {
    if (words.length === 0 || words.includes('context')) await benchContext(directory);
    if (words.length === 0 || words.includes('tasks')) await benchTasks(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

async function benchContext(directory: string): Promise<void> {
  const sizes = [100, 1000, 10_000];
  const warm: number[] = [];
  for (const size of sizes) {
    const { library, areas } = openStores(join(directory, `areas-${size}.db`));
    const projectId = '10000000-0000-4000-8000-000000000000';
    await library.write(async () => {
      for (let at = 0; at < size; at++)
        await areas.createAtom(by, {
          projectId,
          name: `area ${at}`,
          knowledge: `What is known about area ${at}. `.repeat(10),
          paths: [
            `packages/p${at % 50}/src/area-${at}/**`,
            `packages/p${at % 50}/lib/part-${at}-*.ts`,
            `**/area-${at}.config.*`,
            `docs/area-${at}.md`,
          ],
        });
    });
    const paths = Array.from({ length: 100 }, (_, at) =>
      at % 4 === 0
        ? `unknown/folder/file-${at}.ts`
        : `packages/p${(at * 7) % 50}/src/area-${(at * 7) % size}/deep/file-${at}.ts`,
    );
    const ask = () => areas.pathContext({ projectId, paths, changelogLimit: 5 });
    const from = performance.now();
    const found = await ask();
    const cold = performance.now() - from;
    const each = await median(7, 5, ask);
    const read = await median(7, 200, () =>
      embeddedOf(library).get('SELECT name FROM graph_atoms WHERE id = ?', 'x'),
    );
    warm.push(each);
    console.log(
      `P12 ${size} atoms × 100 paths: ${each.toFixed(2)} ms (first ${cold.toFixed(0)} ms), ${found.orphanAtoms.length} areas, ${found.unmatchedPaths.length} unmatched; one indexed read ${(read * 1000).toFixed(1)} µs`,
    );
    await library.close();
  }
  console.log(`P12 grows with exponent ${exponent(sizes, warm)}`);
}

async function benchTasks(directory: string): Promise<void> {
  const sizes = [1000, 10_000, 100_000];
  const series: Record<string, number[]> = { create: [], next: [], claim: [] };
  for (const size of sizes) {
    const { library, work } = openStores(join(directory, `tasks-${size}.db`));
    const project = await work.createContainer(by, { kind: 'project', name: 'P', summary: 's' });
    const task = (at: number) => ({
      kind: 'task' as const,
      name: `Task number ${at}`,
      summary: `Does the thing with the number ${at}.`,
      priority: priorities[at % 3]!,
      complexity: 1 + (at % 10),
      projectId: project.id,
      tags: ['bench'],
    });
    fillTasks(library, project.id, size);
    const byHand = await median(7, 60, (at) => writeByHand(library, project.id, 2 * size + at));
    const create = await median(7, 60, (at) => work.createContainer(by, task(size + at)));
    const next = await median(7, 60, () => work.nextTask({ projectId: project.id }));
    const claim = await median(7, 60, () =>
      work.claimTask(by, { projectId: project.id, claimant: 'b', leaseSeconds: 600 }),
    );
    const busy = [
      await processorTime(300, (at) => work.createContainer(by, task(size + at))),
      await processorTime(300, () => work.nextTask({ projectId: project.id })),
      await processorTime(300, () =>
        work.claimTask(by, { projectId: project.id, claimant: 'b', leaseSeconds: 600 }),
      ),
      await processorTime(300, async (at) => writeByHand(library, project.id, 3 * size + at)),
      await processorTime(300, async (at) =>
        embeddedOf(library).write(() =>
          embeddedOf(library).run('UPDATE work_containers SET modified_by = ? WHERE seq = 1', `c${at}`),
        ),
      ),
    ].map((one) => one.toFixed(3));
    const commit = await median(7, 60, (at) =>
      embeddedOf(library).write(() =>
        embeddedOf(library).run('UPDATE work_containers SET modified_by = ? WHERE seq = 1', `b${at}`),
      ),
    );
    const read = await median(7, 200, () =>
      embeddedOf(library).get('SELECT name FROM work_containers WHERE id = ?', project.id),
    );
    for (const [name, value] of Object.entries({ create, next, claim })) series[name]!.push(value);
    const [creating, asking, claiming, writing, committing] = busy;
    console.log(
      `P13 ${size} tasks: create ${create.toFixed(3)} ms, next ${next.toFixed(3)} ms, claim ${claim.toFixed(3)} ms; processor time ${creating} / ${asking} / ${claiming} ms; the rows of a task by hand ${byHand.toFixed(3)} ms (processor ${writing}), one durable commit of one row ${commit.toFixed(3)} ms (processor ${committing}), one indexed read ${(read * 1000).toFixed(1)} µs`,
    );
    await library.close();
  }
  for (const [name, times] of Object.entries(series))
    console.log(`P13 ${name} grows with exponent ${exponent(sizes, times)}`);
}

export default bench;
