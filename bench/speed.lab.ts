import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import { waitingShare } from '../src/engines/orchestrator/index.ts';
import { type Clone, openClone } from './gates/clone.ts';
import { openJournal } from './journal.ts';
import type { BenchOptions } from './run-named.ts';
import { playTeam } from './team/play.ts';

/**
 * `npm run lab -- speed --from CLONE [--cases NODES] [--commands THINK-SECONDS] [--journal DIRECTORY]`: runs of 3 and 6 nodes in a clone of a public
 * repository, with 1, 2 and 4 worktrees, on a model that thinks 0, 30 and 120 seconds. Each node adds a module and its test; the project's own suite judges it.
 * Prints the speed-up over one worktree beside the most that thinking and gates on two cores allow, and which part of the nodes' time was waited.
 * Checkouts of the clones are written.
 */
export default async function run(options: BenchOptions): Promise<void> {
  const { from, cases = '3,6', commands = '0,30,120', minutes, journal: directory } = options;
  const deadline = performance.now() + minutes * 60_000;
  const [path = ''] = from;
  const clone = openClone(path);
  const journal = openJournal<Played>(join(directory ?? `${path}.speed`, 'speed.jsonl'));
  const numbers = (text: string) => text.split(',').map(Number);
  // Caches of compilers and of the index are filled by one that does not count.
  await play(clone, { think: 0, nodes: 1, worktrees: 1 });
  for (const think of numbers(commands))
    for (const nodes of numbers(cases))
      for (const worktrees of [1, 2, 4]) {
        const isSame = (one: Played) =>
          one.think === think && one.nodes === nodes && one.worktrees === worktrees;
        if (performance.now() > deadline || journal.lines.some(isSame)) continue;
        const played = await play(clone, { think, nodes, worktrees });
        console.log(
          `${nodes} nodes, ${worktrees} worktrees, ${think} s: ${played.status} in ${played.seconds.toFixed(0)} s`,
        );
        journal.add(played);
      }
  report(clone.name, journal.lines);
}

interface Shape {
  think: number;
  nodes: number;
  worktrees: number;
}

interface Played extends Shape {
  status: string;
  merged: number;
  seconds: number;
  /** Part of the time between the start of the run and the end of each node in which it was neither worked on nor judged. */
  waited: number;
}

function report(name: string, all: Played[]): void {
  const of = (shape: Shape) =>
    all.find(
      (one) => one.think === shape.think && one.nodes === shape.nodes && one.worktrees === shape.worktrees,
    );
  for (const one of all) {
    const { think, nodes, worktrees, seconds, waited, merged, status } = one;
    const alone = of({ think, nodes, worktrees: 1 });
    if (!alone) continue;
    // What one worktree took beside thinking.
    const gates = alone.seconds - nodes * think;
    const bound =
      (nodes * think + gates) /
      Math.max(Math.ceil(nodes / worktrees) * think + gates / nodes, gates / Math.min(worktrees, 2));
    console.log(
      `${name}: ${nodes} nodes, think ${think} s, ${worktrees} worktrees: ${seconds.toFixed(0)} s, ${(alone.seconds / seconds).toFixed(2)} × (at most ${bound.toFixed(2)} ×), waited ${(100 * waited).toFixed(0)} %${status === 'completed' && merged === nodes ? '' : `, ${status}, ${merged} merged`}`,
    );
    if (status !== 'completed') process.exitCode = 1;
  }
}

async function play(clone: Clone, { think, nodes, worktrees }: Shape): Promise<Played> {
  const { path, git } = clone;
  const base = git(['rev-parse', 'HEAD']);
  // What was judged once is not judged again: each run has its own lines.
  const salt = `${think}.${nodes}.${worktrees}.${Date.now()}`;
  const tasks = Array.from({ length: nodes }, (_, at) => ({
    id: `part${at}`,
    files: filesOf(path, at, salt),
  }));
  const started = performance.now();
  const view = await playTeam({
    path,
    think: think * 1000,
    start: {
      base,
      concurrency: worktrees,
      plan: {
        prompt: `Add ${nodes} parts`,
        nodes: tasks.map(({ id, files }) => ({
          id,
          agent: 'engineer',
          prompt: `Add ${id}`,
          touches: Object.keys(files),
        })),
        policy: { max_concurrency: worktrees },
      },
    },
    conversations: tasks.map(({ id, files }) => ({
      task: `Add ${id}`,
      // One answer: it is thought about once.
      steps: [
        {
          calls: [
            ...Object.entries(files).map(([file, content]) => ({
              name: 'write_file',
              input: { path: file, content },
            })),
            { name: 'signal_complete', input: { result: `Added ${id}.` } },
          ],
        },
      ],
    })),
  });
  const seconds = (performance.now() - started) / 1000;
  const merged = view.nodes.filter(({ stage }) => stage === 'done').length;
  return {
    think,
    nodes,
    worktrees,
    status: view.status,
    merged,
    seconds,
    waited: await waitedOf(path, view.run),
  };
}

/** Of all nodes together, by the events of the run. */
async function waitedOf(path: string, run: string): Promise<number> {
  const app = openApp({ directory: path });
  try {
    return waitingShare(await (await app.runs()).events(run)) ?? 0;
  } finally {
    await app.close();
  }
}

/** A module and its test, in the language of the project. */
function filesOf(path: string, at: number, salt: string): Record<string, string> {
  const name = `part${at}`;
  if (existsSync(join(path, 'go.mod'))) {
    const [, found = 'main'] =
      /^package (\w+)/m.exec(readFileSync(join(path, globSync('*.go', { cwd: path })[0] ?? ''), 'utf8')) ??
      [];
    return {
      [`${name}.go`]: `package ${found}\n\n// Part${at} is a number (${salt}).\nfunc Part${at}() int { return ${at} }\n`,
      [`${name}_test.go`]: `package ${found}\n\nimport "testing"\n\nfunc TestPart${at}(t *testing.T) {\n\tif Part${at}() != ${at} {\n\t\tt.Fatal()\n\t}\n}\n`,
    };
  }
  return {
    [`${name}_lab.py`]: `# ${salt}\ndef ${name}():\n    return ${at}\n`,
    [`tests/test_${name}_lab.py`]: `from ${name}_lab import ${name}\n\n\ndef test_${name}():\n    assert ${name}() == ${at}\n`,
  };
}
