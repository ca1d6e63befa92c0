import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openJournal } from './journal.ts';
import type { BenchOptions } from './run-named.ts';
import { call, playTeam, writeAll } from './team/play.ts';

/**
 * `npm run lab -- merges [--cases PART] [--journal DIRECTORY]`: two nodes that work side by side, each green alone, whose merge is clean as text
 * and broken in types or tests (`merges/cases.json`), or a conflict that the later node solves by leaving lines out. Truth is git and the project's own
 * command, in plain checkouts. A broken merge has to be caught at the tip and mended by the later node; every line that either side added is in the
 * end there, or is named.
 */
export default async function run(options: BenchOptions): Promise<void> {
  const { cases: part = '', minutes } = options;
  const deadline = performance.now() + minutes * 60_000;
  const directory = options.journal ?? mkdtempSync(join(tmpdir(), 'sylk-merges-'));
  const journal = openJournal<Played>(join(directory, 'merges.jsonl'));
  const all: Case[] = JSON.parse(readFileSync(join(import.meta.dirname, 'merges/cases.json'), 'utf8'));
  for (const one of all.filter(({ name, language }) => `${language}: ${name}`.includes(part))) {
    if (performance.now() > deadline) break;
    if (journal.lines.some(({ name }) => name === one.name)) continue;
    const played = await play(one);
    console.log(`${one.language}: ${one.name}: ${described(played)}`);
    journal.add(played);
  }
  report(journal.lines);
}

type Files = Record<string, string>;

interface Case {
  name: string;
  language: keyof typeof projects;
  base: Files;
  left: Files;
  right: Files;
  /** What the later node makes of both. */
  mend: Files;
  conflict?: boolean;
}

interface Played {
  name: string;
  language: string;
  /** Whether the case is one: each side green, the merge clean as text and red, or in conflict; the mend green. */
  truth: string;
  isConflict: boolean;
  status: string;
  loops: number;
  isMended: boolean;
  left: number;
  unnamed: string[];
  seconds: number;
}

const projects = {
  typescript: {
    command: 'node_modules/.bin/tsc --noEmit',
    packages: true,
    files: {
      '.gitignore': 'node_modules\n',
      'package.json': JSON.stringify({
        name: 'shop',
        type: 'module',
        scripts: { types: 'tsc --noEmit' },
        devDependencies: { typescript: '^5.0.0' },
      }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          noEmit: true,
          strict: true,
          module: 'nodenext',
          allowImportingTsExtensions: true,
          types: [],
        },
        include: ['src'],
      }),
    },
  },
  javascript: {
    command: 'node --test',
    packages: false,
    files: { 'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n' },
  },
  python: {
    command: 'python3 -m pytest -q -p no:cacheprovider',
    packages: false,
    files: {
      'pyproject.toml':
        '[project]\nname = "numbers"\nversion = "1"\n\n[tool.pytest.ini_options]\ntestpaths = ["."]\n',
      '.gitignore': '__pycache__\n',
    },
  },
  go: { command: 'go vet ./... && go test ./...', packages: false, files: {} },
};

const described = ({ truth, loops, status, isMended, left, unnamed }: Played) =>
  `${truth}; ${loops > 0 ? 'caught at the tip' : 'NOT CAUGHT'}, ${status}, ${isMended ? 'mended' : 'NOT MENDED'}, ${left} lines left out${unnamed.length > 0 ? `, NOT NAMED: ${unnamed.join(' | ')}` : ''}`;

function report(played: Played[]): void {
  for (const isConflict of [false, true]) {
    const own = played.filter((one) => one.isConflict === isConflict);
    const count = (is: (one: Played) => boolean) => own.filter(is).length;
    const caught = count(({ loops }) => loops > 0);
    console.log(
      `${isConflict ? 'conflicts' : 'clean as text, broken as a program'}: ${own.length} (${[...new Set(own.map(({ language }) => language))].join(', ')}), a case by git and the project's own tools ${count(({ truth }) => truth === 'a case')}; caught at the tip ${caught}, mended ${count(({ isMended }) => isMended)}; lines left out ${own.reduce((sum, { left }) => sum + left, 0)}, not named ${own.reduce((sum, { unnamed }) => sum + unnamed.length, 0)}`,
    );
    if (caught < own.length || own.some(({ unnamed, truth }) => unnamed.length > 0 || truth !== 'a case'))
      process.exitCode = 1;
  }
}

async function play({ name, language, base, left, right, mend, conflict = false }: Case): Promise<Played> {
  const place = mkdtempSync(join(tmpdir(), 'sylk-merges-'));
  try {
    const path = join(place, 'repository');
    const project = projects[language];
    const { git, commit, green } = openProject(path, project);
    const first = commit({ ...project.files, ...base });
    const sides = [left, right].map((files) => commit(files, first));
    const whole = commit({ ...left, ...right, ...mend }, first);
    const truth = truthOf({ git, green, first, sides, whole }, conflict);
    git('checkout', '-q', '-f', '-B', 'main', first);
    const started = performance.now();
    const known = new Set(git('ls-tree', '-r', '--name-only', first).split('\n'));
    const mending = [
      ...writeAll(Object.entries(mend), () => true),
      call('signal_complete', { result: 'Mended.' }),
    ];
    const node = (id: string, files: Files) => ({
      task: `Do ${id}`,
      steps: [
        ...writeAll(Object.entries(files), (file) => known.has(file)),
        call('signal_complete', { result: `Did ${id}.` }),
        ...mending,
      ],
    });
    const nodes = ['left', 'right'].map((id) => ({ id, agent: 'engineer', prompt: `Do ${id}` }));
    const view = await playTeam({
      path,
      home: join(place, 'home'),
      start: { plan: { prompt: name, nodes, policy: { touch_threshold: 1 } }, concurrency: 2 },
      conversations: [node('left', left), node('right', right)],
    });
    // What a node has left out altogether is not merged: the person is asked about it.
    const isMerged = (_: string, at: number) => view.nodes[at]?.stage === 'done';
    const lost = sides
      .filter(isMerged)
      .flatMap((side) => linesLost(git, { first, side, end: view.commit ?? first }));
    return {
      name,
      language,
      truth,
      isConflict: conflict,
      status: view.status,
      loops: view.nodes.reduce((sum, { loops }) => sum + loops.merge, 0),
      isMended: view.commit !== undefined && git('diff', whole, view.commit) === '',
      left: lost.length,
      unnamed: lost.filter((line) => !view.lost_lines.some((named) => named.endsWith(`: ${line}`))),
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

interface Sides {
  git(...args: string[]): string;
  green(tree: string): boolean;
  first: string;
  sides: string[];
  whole: string;
}

/** What git and the project's own command say, without us. */
function truthOf(
  { git, green, first, sides: [left = '', right = ''], whole }: Sides,
  isConflict: boolean,
): string {
  for (const [what, commit] of Object.entries({ base: first, left, right, mend: whole }))
    if (!green(commit)) return `the ${what} is red`;
  const merged = spawnSync('git', ['merge-tree', '--write-tree', left, right], {
    cwd: git('rev-parse', '--show-toplevel'),
    encoding: 'utf8',
  });
  if ((merged.status !== 0) !== isConflict) return isConflict ? 'no conflict' : 'a conflict';
  if (isConflict) return 'a case';
  const tree = merged.stdout.split('\n')[0] ?? '';
  return green(git('commit-tree', tree, '-m', 'both')) ? 'the merge is green' : 'a case';
}

/** Lines that a side has added and that stand nowhere in the end, by git alone. */
function linesLost(
  git: Sides['git'],
  { first, side, end }: { first: string; side: string; end: string },
): string[] {
  const said = (line: string) => /[\p{L}\p{N}]/u.test(line);
  const added = git('diff', '-U0', '--no-renames', first, side)
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++'))
    .map((line) => line.slice(1).trim());
  const there = new Set(
    git('ls-tree', '-r', '--name-only', end)
      .split('\n')
      .flatMap((file) => git('show', `${end}:${file}`).split('\n'))
      .map((line) => line.trim()),
  );
  return added.filter((line) => said(line) && !there.has(line));
}

function openProject(path: string, { command, packages }: { command: string; packages: boolean }) {
  mkdirSync(path);
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=lab', '-c', 'user.email=lab@example.org'];
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], {
      cwd: path,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  };
  git('init', '-q', '-b', 'main');
  if (packages) bringCompiler(path);
  const commit = (files: Files, parent?: string): string => {
    if (parent) git('checkout', '-q', '-f', '--detach', parent);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    }
    git('add', '-A');
    git('commit', '-qm', 'side', '--allow-empty');
    return git('rev-parse', 'HEAD');
  };
  const green = (revision: string): boolean => {
    git('checkout', '-q', '-f', '--detach', revision);
    return spawnSync('sh', ['-c', command], { cwd: path, stdio: 'ignore' }).status === 0;
  };
  return { git, commit, green };
}

function bringCompiler(path: string): void {
  const own = join(import.meta.dirname, '../node_modules');
  mkdirSync(join(path, 'node_modules/.bin'), { recursive: true });
  for (const name of ['typescript', '@typescript', '.bin/tsc'])
    symlinkSync(join(own, name), join(path, 'node_modules', name));
}
