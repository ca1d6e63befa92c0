import type { NodeState, RunState } from '../../src/engines/orchestrator/index.ts';
import { type Command, commandKinds, type RunEvent } from '../../src/stores/runs/index.ts';
import { reachablePairs } from './run-pairs.ts';
import { chance, pick, type Random } from './simulated-choices.ts';

/** Events that led to a place; `run` tells ways of different runs apart. */
interface Way {
  run: number;
  events: readonly RunEvent[];
}
const waysOfPlace = 8;

/** What was tried, over all runs, and how to get back to where it can be tried again. */
export interface Coverage {
  /** How often each pair of a state and an event has met. */
  pairs: Map<string, number>;
  /** The same in more detail: what waits, for what purpose, what a node has behind it. */
  variants: Map<string, number>;
  ends: Map<string, number>;
  /** Short ways that were found to each place, so that a place that is seldom reached can be sought out. */
  ways: Map<string, Way[]>;
  /** One for each place in detail, and how often a run began there. */
  detours: Map<string, { way: Way; begun: number }>;
  /** Places in which something was tried too little. */
  rare: string[];
  played: number;
  events: number;
  crashes: number;
  late: number;
  refused: number;
}

export const newCoverage = (): Coverage => ({
  pairs: new Map(),
  variants: new Map(),
  ends: new Map(),
  ways: new Map(),
  detours: new Map(),
  rare: [],
  played: 0,
  events: 0,
  crashes: 0,
  late: 0,
  refused: 0,
});

export const add = (map: Map<string, number>, key: string, count = 1) =>
  map.set(key, (map.get(key) ?? 0) + count);

/** What an event meets: the run, and the node that it is about. */
export function placeOf({ status, phase, nodes }: RunState, id?: string): string {
  const run = status === 'running' ? `running ${phase}` : status;
  return id === undefined ? run : `${run}/${nodes.find((node) => node.id === id)?.stage ?? 'no node'}`;
}

/** A place, and for an answer the command that waits for it there. */
const wayTo = (place: string, event: string): string =>
  commandKinds.some((kind) => kind === event) ? `${place} × ${event}` : place;

/** The run in more detail than its place. */
export function detailOf(state: RunState): string {
  const { goal, resumesAs, proposal, planRequest, unwantedPlan, testsPlanned, landing, limits, spent } =
    state;
  const plan = state.open.find(({ kind }) => kind === 'plan');
  const asked = state.open.flatMap(({ node, subject }) => (node === undefined && subject ? [subject] : []));
  return [
    placeOf(state),
    goal,
    resumesAs,
    proposal && `proposed ${proposal.purpose}`,
    planRequest && `wants ${planRequest.purpose}`,
    plan && `writes ${plan.id === unwantedPlan ? 'for nobody' : plan.purpose}`,
    testsPlanned && 'tests planned',
    landing && 'landing',
    limits.budget !== undefined && spent >= limits.budget && 'over budget',
    ...asked,
  ]
    .filter(Boolean)
    .join(', ');
}

export function nodeDetailOf(node: NodeState | undefined): string {
  if (!node) return 'no node';
  const { stage, next, ending, merged, claimedBy, claimLease, overrides, asking, spec, failureSeen } = node;
  return [
    spec.agent === 'librarian' || spec.agent === 'academic' ? 'consulted' : 'built',
    stage,
    next,
    ending && `to be ${ending}`,
    merged && 'merged',
    claimedBy && (claimLease ? 'claimed for a time' : 'claimed'),
    ...overrides.toSorted(),
    asking,
    failureSeen && 'failure seen',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Remembers the way to every place that an event has led to. */
export function rememberWays(
  { ways, detours, played }: Coverage,
  before: RunState | undefined,
  state: RunState,
  outstanding: Iterable<Command>,
  log: readonly RunEvent[],
): void {
  const run = placeOf(state);
  const isElsewhere = !before || placeOf(before) !== run;
  const changed = state.nodes.filter((node, at) => isElsewhere || before?.nodes[at] !== node);
  const places = changed.map(({ stage }) => `${run}/${stage}`);
  const waiting = [...outstanding].map(({ kind, node }) => wayTo(placeOf(state, node), kind));
  for (const place of new Set([run, `${run}/no node`, ...places, ...waiting])) {
    const known = ways.get(place) ?? [];
    ways.set(place, known);
    const own = known.findIndex((way) => way.run === played);
    if (own === -1 && known.length < waysOfPlace) known.push({ run: played, events: [...log] });
    else if (own === -1) {
      const longest = known.toSorted((left, right) => right.events.length - left.events.length)[0];
      if (longest && longest.events.length > log.length)
        known.splice(known.indexOf(longest), 1, { run: played, events: [...log] });
    }
  }
  const detail = detailOf(state);
  for (const place of new Set([detail, ...changed.map((node) => `${run}: ${nodeDetailOf(node)}`)])) {
    const known = detours.get(place);
    const isShorter = known !== undefined && known.way.events.length > log.length;
    if (known === undefined || isShorter)
      detours.set(place, { way: { run: played, events: [...log] }, begun: known?.begun ?? 0 });
  }
}

/** Places in which something was tried least: the rarest quarter of the pairs that a run can meet. */
export function rarePlaces({ pairs, ways }: Coverage, below: number): string[] {
  const rare = [...reachablePairs]
    .map((pair): [string, number] => [pair, pairs.get(pair) ?? 0])
    .filter(([, count]) => count < below)
    .toSorted(([, left], [, right]) => left - right);
  const found = rare.slice(0, Math.max(50, rare.length / 4)).map(([pair]) => {
    const [place = '', event = ''] = pair.split(' × ');
    return wayTo(place, event.split(' ')[0] ?? '');
  });
  return [...new Set(found)].filter((way) => ways.has(way));
}

/** Where a run begins: in a place that few have seen, in one of a kind that few have begun in, or at its creation. */
export function placeToBegin(
  { rare, ways, detours }: Coverage,
  random: Random,
): { way: readonly RunEvent[]; place?: string } | undefined {
  if (rare.length > 0 && chance(random, 0.5)) {
    // The rarest come first.
    const name = rare[Math.floor(random() ** 2 * rare.length)] ?? '';
    const known = ways.get(name) ?? [];
    return { way: pick(known, random).events, place: name.split(' × ')[0] ?? '' };
  }
  if (detours.size === 0 || chance(random, 0.5)) return undefined;
  const all = [...detours.values()];
  const drawn = Array.from({ length: 12 }, () => pick(all, random));
  const [least] = drawn.toSorted((left, right) => left.begun - right.begun);
  if (!least) return undefined;
  least.begun++;
  return { way: least.way.events };
}
