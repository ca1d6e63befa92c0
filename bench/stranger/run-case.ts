import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Journal } from '../journal.ts';
import type { StrangerCase } from './case.ts';
import type { Command, Offered } from './commands.ts';
import { type Failure, isDefect, judge, type Observed } from './judge.ts';
import type { Listener } from './listener.ts';
import { type Address, makePlace, outsideSecret, type Place, type Product } from './place.ts';
import { differences, type Snapshot, takeSnapshot } from './snapshot.ts';
import { type Answer, callHttp, callTools, runCommand, type Target } from './surfaces.ts';

export interface LabContext {
  product: Product;
  /** A harmless repository to start from. */
  base: string;
  /** Everything of the lab is made below this directory. */
  work: string;
  listener: Listener;
  server: Address;
  /** Where the product keeps state in a harmless repository, relative to it. */
  state: string;
  offered: Offered[];
}

/** Hangs of one case that are enough: every further command would wait just as long. */
const enoughHangs = 3;

export interface Trial {
  /** Tries one command in a repository that nothing has touched yet. */
  command(command: Command): Promise<Observed>;
  /** Tries these tools or requests, one after the other, in one process. */
  surface(name: Surface, offered: Offered[]): AsyncGenerator<Observed>;
  /** Files of the product that contain what stands only outside of the repository. */
  leaks(): string[];
  remove(): void;
}

/** Makes a repository once and copies it for every trial, always to the same path: links in it are absolute. `once`: for one trial. */
export async function openTrial(
  context: LabContext,
  { make, big = false, stateAt }: Pick<StrangerCase, 'make' | 'big' | 'stateAt'>,
  { once = false } = {},
): Promise<Trial> {
  const root = join(context.work, 'place');
  const template = join(context.work, `template-${Math.random().toString(36).slice(2)}`);
  const place = makePlace(root, context.base, context.product, context);
  await make(place);
  for (const hit of place.hits()) rmSync(join(root, 'canaries', `${hit}.hit`));
  context.listener.reset();
  // A big one is made once: its commands meet what the ones before left.
  if (!big && !once) spawnSync('cp', ['-a', root, template]);
  let isUntouched = true;
  const target: Target = { product: context.product, place, cwd: place.repository };
  const renew = () => {
    if (!isUntouched && !big) {
      removeAll(root);
      spawnSync('cp', ['-a', template, root]);
    }
    isUntouched = false;
  };
  const observe = observer(context, place, stateAt);
  return {
    command: async (command) => {
      renew();
      observe.start();
      return observe.see(await runCommand(target, command));
    },
    async *surface(name, offered) {
      renew();
      observe.start();
      const answers = name === 'mcp' ? callTools : callHttp;
      for await (const answer of answers(target, offered)) yield observe.see(answer);
    },
    leaks: () => leaks(context, place),
    remove: () => {
      removeAll(root);
      removeAll(template);
    },
  };
}

/** Folders without rights are opened first. */
function removeAll(directory: string): void {
  spawnSync('chmod', ['-R', 'u+rwX', directory]);
  rmSync(directory, { recursive: true, force: true });
}

/** Where a person's own things may lie, below the home. */
const homes = ['.sylk', '.config/sylk', '.cache/sylk', '.local/share/sylk', '.local/state/sylk'];

function observer({ state, listener }: LabContext, place: Place, stateAt: string | undefined) {
  const allowed = [
    join('parent/repository', state),
    ...homes.map((name) => join('home', name)),
    'author',
    'author-state',
    'canaries',
    ...(stateAt ? [stateAt] : []),
  ];
  // The folders on the way to a directory of ours are made with it.
  const parents = new Set([
    'home/.config',
    'home/.cache',
    'home/.local',
    'home/.local/share',
    'home/.local/state',
  ]);
  const inState = (path: string) => allowed.some((directory) => isUnder(path, directory));
  let before: Snapshot = new Map();
  let seenHits = new Set<string>();
  return {
    start: () => {
      listener.reset();
      seenHits = new Set(place.hits());
      before = takeSnapshot(place.root, inState);
    },
    see: (answer: Answer): Observed => {
      const after = takeSnapshot(place.root, inState, before);
      const changes = differences(before, after).filter((change) => !parents.has(change.slice(1)));
      before = after;
      const hits = place.hits().filter((hit) => !seenHits.has(hit));
      for (const hit of hits) seenHits.add(hit);
      return { answer, changes, hits, connections: listener.reset() };
    },
  };
}

const isUnder = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(`${directory}/`);

function leaks({ state }: LabContext, place: Place): string[] {
  const found: string[] = [];
  const visit = (directory: string) => {
    for (const entry of existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : []) {
      const file = join(directory, entry.name);
      if (entry.isDirectory()) visit(file);
      else if (
        entry.isFile() &&
        lstatSync(file).size < 5e7 &&
        readFileSync(file, 'latin1').includes(outsideSecret)
      )
        found.push(file);
    }
  };
  const stateDirectory = join(place.repository, state);
  if (existsSync(stateDirectory) && lstatSync(stateDirectory).isDirectory()) visit(stateDirectory);
  visit(place.home);
  return found;
}

/** What the harmless twin answers and costs, asked for when it is needed and kept. */
export interface Twin {
  command(command: Command): Promise<Observed>;
  surface(slice: Slice): Promise<Map<string, Observed>>;
}

export type Surface = 'mcp' | 'http';

/** Tools or requests that one server is asked for. */
export interface Slice {
  surface: Surface;
  offered: Offered[];
}

/** Where answers of a twin are kept beyond one take. */
export type TwinJournal = Journal<{ key: string; answers: Array<[string, Observed]> }>;

export function rememberTwin(
  context: LabContext,
  make: StrangerCase['twin'] = () => {},
  { big = false, journal }: { big?: boolean | undefined; journal?: TwinJournal | undefined } = {},
): Twin {
  const known = new Map(journal?.lines.map(({ key, answers }) => [key, new Map(answers)]));
  const remember = async (
    key: string,
    work: (trial: Trial) => AsyncGenerator<Observed>,
  ): Promise<Map<string, Observed>> => {
    const before = known.get(key);
    if (before) return before;
    const twinContext = { ...context, work: join(context.work, 'twin') };
    const trial = await openTrial(twinContext, { make, big }, { once: true });
    try {
      const answers = new Map<string, Observed>();
      for await (const observed of work(trial)) answers.set(observed.answer.name, withoutText(observed));
      // A server also works in the background: what it writes may show at any call.
      const changes = [...answers.values()].flatMap((observed) => observed.changes);
      for (const observed of answers.values()) observed.changes = changes;
      known.set(key, answers);
      journal?.add({ key, answers: [...answers] });
      return answers;
    } finally {
      trial.remove();
    }
  };
  return {
    command: async (command) => {
      const answers = await remember(command.name, async function* (trial) {
        yield await trial.command(command);
      });
      const [seen] = answers.values();
      if (!seen) throw new Error(`The twin gave no answer to ${command.name}.`);
      return seen;
    },
    surface: ({ surface, offered }) =>
      remember(`${surface}: ${offered.map(({ name }) => name).join(' ')}`, (trial) =>
        trial.surface(surface, offered),
      ),
  };
}

/** Only whether the twin failed in the same way is asked of its text. */
const withoutText = (observed: Observed): Observed => ({
  ...observed,
  answer: { ...observed.answer, text: isDefect(observed.answer) ? 'INTERNAL_ERROR' : '' },
});

export interface CaseResult {
  combinations: number;
  failures: Failure[];
  /** Answers that were refused here and not in the twin: what stopped them may hide other things in the repository. */
  refusals: number;
}

export interface CasePlan {
  commands: Command[];
  slices: Slice[];
}

/** One case against the commands, tools and requests that were chosen. */
export async function runCase(
  context: LabContext,
  tried: StrangerCase,
  twin: Twin,
  plan: CasePlan,
): Promise<CaseResult> {
  const result: CaseResult = { combinations: 0, failures: [], refusals: 0 };
  const add = (observed: Observed, usual: Observed | undefined) => {
    result.combinations++;
    if (observed.answer.code !== 0 && usual?.answer.code === 0) result.refusals++;
    result.failures.push(...judge(tried, observed, usual));
  };
  const hangs = () => result.failures.filter(({ kind }) => kind === 'hung' || kind === 'memory').length;
  const usuals = new Map<string, Observed>();
  for (const command of plan.commands) usuals.set(command.name, await twin.command(command));
  const trial = await openTrial(context, tried, { once: plan.commands.length + plan.slices.length === 1 });
  try {
    for (const command of plan.commands) {
      if (hangs() >= enoughHangs) break;
      add(await trial.command(command), usuals.get(command.name));
    }
    for (const slice of plan.slices) {
      if (hangs() >= enoughHangs) break;
      const usual = await twin.surface(slice);
      for await (const observed of trial.surface(slice.surface, slice.offered))
        add(observed, usual.get(observed.answer.name));
    }
    for (const file of trial.leaks())
      result.failures.push({ case: tried.name, command: 'any', kind: 'kept what it must not', detail: file });
  } finally {
    trial.remove();
  }
  return result;
}
