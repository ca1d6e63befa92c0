import type { StrangerCase } from './case.ts';
import type { Command, Offered } from './commands.ts';
import type { CasePlan, Slice } from './run-case.ts';

/** One repository: a case, or several of a batch. */
export interface Unit {
  group: string;
  tried: StrangerCase;
  cases: StrangerCase[];
  /** A case that a batch has too. */
  isAgain?: boolean;
}

/** What one unit is tried with at a time. */
export interface Step extends CasePlan {
  key: string;
  unit: Unit;
  /** 1: every case meets a command; 2: aims and servers; 3: every command meets every group. */
  pass: 1 | 2 | 3;
}

const pathsInABatch = 30;
const namesInABatch = 120;
/** One in so many cases of a batch is tried alone too. */
const alone = 20;
const sliceSize = 15;
/** In groups of many alike, one unit in so many meets a server and the command that it aims at. */
const serverEvery = 4;
const many = 217;
/** Commands that look at the whole repository: one that names a file is refused where that file is a link. */
export const wholeRepository = [
  'search login',
  'ask login',
  'status',
  'then: index, search, doctor',
  'brief',
  'memory add',
  'skills browse',
  'index',
];

/**
 * A covering design: each case meets at least one command, alone or in a batch; each command, tool and request meets each
 * group of cases at least once.
 */
export function coveringDesign(cases: StrangerCase[], commands: Command[], offered: Offered[]): Step[] {
  const slices = slicesOf(offered);
  const groups = Map.groupBy(unitsOf(cases), ({ group }) => group);
  const lists = [...groups.values()].map((units) => stepsOf(units, commands, slices));
  const steps = inTurn(lists);
  return steps.sort((a, b) => rank(a) - rank(b));
}

/** Batches first, because they have most of the cases; big ones last. */
const rank = ({ pass, unit }: Step): number =>
  pass * 3 + (unit.cases.length > 1 ? 0 : unit.tried.big ? 2 : 1);

/** One of each list, then the next of each. */
export function inTurn<T>(lists: T[][]): T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => {
      const next = list[at];
      return next === undefined ? [] : [next];
    }),
  ).flat();
}

function slicesOf(offered: Offered[]): Slice[] {
  const starts = Array.from({ length: Math.ceil(offered.length / sliceSize) }, (_, at) => at * sliceSize);
  return starts.flatMap((start) =>
    (['mcp', 'http'] as const).map((surface) => ({
      surface,
      offered: offered.slice(start, start + sliceSize),
    })),
  );
}

function stepsOf(units: Unit[], commands: Command[], slices: Slice[]): Step[] {
  const isLong = units.length >= many;
  const commandCount = Math.max(1, Math.ceil(commands.length / units.length));
  const sliceCount = Math.max(1, Math.ceil(slices.length / units.length));
  const whole = commands.filter(({ name }) => wholeRepository.includes(name));
  return units.flatMap((unit, at) => {
    const [own, ...rest] = take(commands, at * commandCount, commandCount);
    const isBatch = unit.cases.length > 1;
    const [first] = isBatch ? take(whole, at, 1) : [own];
    const aims = commands.filter(({ name }) => unit.tried.aims?.includes(name)).slice(0, 1);
    const isChosen = !isLong || at % serverEvery === 0;
    const turn = isLong ? at / serverEvery : at;
    const step = (pass: Step['pass'], chosen: Array<Command | undefined>, met: Slice[]): Step[] => {
      const list = chosen.filter((command) => command !== undefined);
      if (list.length + met.length === 0) return [];
      return [{ key: '', unit, pass, commands: list, slices: met }];
    };
    const steps = [
      ...step(unit.isAgain ? 2 : 1, [first], []),
      ...(isChosen
        ? step(
            2,
            aims.filter((aim) => aim !== first),
            take(slices, turn * sliceCount, sliceCount),
          )
        : []),
      ...step(3, isBatch ? [own, ...rest] : rest, []),
    ];
    return steps.map((each, part) => ({ ...each, key: `${unit.tried.name}; part ${part + 1}` }));
  });
}

const take = <T>(list: T[], start: number, count: number): T[] =>
  Array.from({ length: Math.min(count, list.length) }, (_, at) => list[(start + at) % list.length]).filter(
    (each) => each !== undefined,
  );

export const groupOf = ({ name }: StrangerCase): string => name.split(':')[0] ?? name;

function unitsOf(cases: StrangerCase[]): Unit[] {
  const batches = Map.groupBy(cases, ({ batch }) => batch);
  const single = (tried: StrangerCase): Unit => ({ group: groupOf(tried), tried, cases: [tried] });
  return [...batches].flatMap(([batch, members]) =>
    batch === undefined
      ? members.map(single)
      : [
          ...fill(members).map((together) => batchOf(batch, together)),
          ...members.filter((_, at) => at % alone === 0).map((each) => ({ ...single(each), isAgain: true })),
        ],
  );
}

/** First fit: no path of a batch is below another. */
function fill(members: StrangerCase[]): StrangerCase[][] {
  const batches: StrangerCase[][] = [];
  for (const member of members) {
    const size = member.path === undefined ? namesInABatch : pathsInABatch;
    const fitting = batches.find(
      (batch) => batch.length < size && batch.every(({ path }) => !isOneBelow(path, member.path)),
    );
    if (fitting) fitting.push(member);
    else batches.push([member]);
  }
  return batches;
}

const isOneBelow = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && (`${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`));

function batchOf(batch: string, cases: StrangerCase[]): Unit {
  const [first] = cases;
  if (!first) throw new Error('A batch has cases.');
  const tried: StrangerCase = {
    name: `${groupOf(first)}: ${cases.length} ${batch}, from ${first.name}`,
    make: async (place) => {
      for (const each of cases) await each.make(place);
    },
    absent: cases.flatMap(({ absent }) => absent ?? []),
    forgedLines: cases.flatMap(({ forgedLines }) => forgedLines ?? []),
    aims: first.aims ?? [],
  };
  return { group: groupOf(first), tried, cases };
}
