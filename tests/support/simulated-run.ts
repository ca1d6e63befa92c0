import { isDeepStrictEqual } from 'node:util';
import { decide, type NodeState, type RunState } from '../../src/engines/orchestrator/index.ts';
import {
  type AnyOutcome,
  type Command,
  commandKinds,
  type Move,
  type RunEvent,
  waitingKinds,
} from '../../src/stores/runs/index.ts';
import { assertRule } from './run-acceptance.ts';
import { createRunRules } from './run-rules.ts';
import { type Choices, chance, createChoices, pick, type Random } from './simulated-choices.ts';

/** What was tried, over all runs: pairs of a state and an event that met in it. */
export interface Counts {
  pairs: Map<string, number>;
  ends: Map<string, number>;
  /** The shortest way that was found to each state, so that a state that is seldom reached can be sought out. */
  ways: Map<string, RunEvent[]>;
  /** Ways to states in which something was tried too little. */
  rare: string[];
  played: number;
  events: number;
  crashes: number;
  late: number;
  refused: number;
}

export const newCounts = (): Counts => ({
  pairs: new Map(),
  ends: new Map(),
  ways: new Map(),
  rare: [],
  played: 0,
  events: 0,
  crashes: 0,
  late: 0,
  refused: 0,
});

/** A state, and for an answer the command that waits for it there. */
const wayTo = (place: string, event: string): string =>
  commandKinds.some((kind) => kind === event) ? `${place} × ${event}` : place;

/** Ways to the states in which something was tried least: the rarest quarter. */
function rareWays({ pairs, ways }: Counts, below: number): string[] {
  const rare = [...pairs]
    .filter(([, count]) => count < below)
    .toSorted(([, left], [, right]) => left - right);
  const found = rare.slice(0, Math.max(50, rare.length / 4)).map(([pair]) => {
    const [place = '', event = ''] = pair.split(' × ');
    return wayTo(place, event.split(' ')[0] ?? '');
  });
  return [...new Set(found)].filter((way) => ways.has(way));
}

const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);

export interface SimulationOptions {
  decideWith?: typeof decide;
  maxNodes?: number;
  /** How often a pair of state and event is sought out before chance alone decides. */
  seekBelow?: number;
}

/** A run in a world of chance: commands are answered in any order, late, twice; the process dies; persons interfere. */
export function simulateRun(random: Random, counts: Counts, options: SimulationOptions = {}) {
  const { decideWith = decide, maxNodes = 60, seekBelow = 130 } = options;
  const choices: Choices = createChoices(random, maxNodes);
  const rules = createRunRules();
  const log: RunEvent[] = [];
  /** As a journal would have them: commands that went out and were neither answered nor withdrawn. */
  const outstanding = new Map<string, Command>();
  const settled: Array<{ command: Command; outcome: AnyOutcome }> = [];
  let state: RunState | undefined;
  let clock = 1_000_000;
  let refusedLast = false;

  const now = (): RunState => {
    if (!state) throw new Error('the run was not created');
    return state;
  };
  const nodeOf = (id: string | undefined): NodeState | undefined =>
    now().nodes.find((node) => node.id === id);
  const isOver = () => ['completed', 'failed', 'cancelled'].includes(now().status) && outstanding.size === 0;

  /** What the event meets: the run, and the node that it is about. */
  const placeOf = (id: string | undefined): string => {
    const { status, phase } = now();
    const run = status === 'running' ? `running ${phase}` : status;
    return id === undefined ? run : `${run}/${nodeOf(id)?.stage ?? 'no node'}`;
  };
  const answerPair = (command: Command, { result }: AnyOutcome) =>
    `${placeOf(command.node)} × ${command.kind} ${result}`;
  const movePair = (move: Move) => `${placeOf('node' in move ? move.node : undefined)} × ${move.type}`;

  const isAboutNode = (type: string) => type.startsWith('node_') || type === 'gate_overridden';

  function apply(event: RunEvent): void {
    const before = state;
    const copy = before && counts.events % 97 === 0 ? structuredClone(before) : undefined;
    const decision = decideWith(before, event);
    counts.events++;
    if (copy) assertRule(isDeepStrictEqual(copy, before), 'deciding changed the state that it was given');
    refusedLast = decision.refused !== undefined;
    if (decision.refused) {
      counts.refused++;
      assertRule(
        decision.state === before && decision.commands.length === 0,
        'a refused event had an effect',
      );
    } else {
      log.push(event);
      state = decision.state;
      for (const command of decision.commands) {
        assertRule(!outstanding.has(command.id), `the id ${command.id} was used before`);
        outstanding.set(command.id, command);
      }
      for (const id of decision.withdrawn) withdraw(id);
      rememberWays();
    }
    rules.check(before, event, decision, outstanding);
  }

  function rememberWays(): void {
    const run = placeOf(undefined);
    const places = now().nodes.map(({ id }) => placeOf(id));
    const waiting = [...outstanding.values()].map(({ kind, node }) => wayTo(placeOf(node), kind));
    for (const way of new Set([run, `${run}/no node`, ...places, ...waiting]))
      if ((counts.ways.get(way)?.length ?? Infinity) > log.length) counts.ways.set(way, [...log]);
  }

  /** Begins where another run was once, in a state that few have seen, and tries there what was tried least. */
  function goTo(way: string): void {
    for (const event of counts.ways.get(way) ?? []) {
      const command = event.type === 'answered' ? outstanding.get(event.command) : undefined;
      if (command && event.type === 'answered') {
        outstanding.delete(event.command);
        settled.push({ command, outcome: event.outcome });
      }
      clock = Math.max(clock, event.at);
      apply(event);
    }
    const [place = ''] = way.split(' × ');
    const isThere = () =>
      [placeOf(undefined), `${placeOf(undefined)}/no node`].includes(place) ||
      now().nodes.some(({ id }) => placeOf(id) === place);
    // A refused move leaves the run where it is.
    for (let count = 0; count < 60 && isThere() && seek(place); count++);
  }

  function withdraw(id: string): void {
    const command = outstanding.get(id);
    assertRule(
      command !== undefined && waitingKinds.has(command.kind),
      `${id} is withdrawn while it is executed`,
    );
    outstanding.delete(id);
    settled.push({ command, outcome: pick(choices.outcomes(now(), command, clock), random)() });
  }

  const tick = () => {
    clock += Math.floor(random() * 1000);
    return clock;
  };

  function answer(command: Command, outcome: AnyOutcome): void {
    add(counts.pairs, answerPair(command, outcome));
    if (command.kind === 'wake') clock = Math.max(clock, command.at ?? 0);
    outstanding.delete(command.id);
    apply({ type: 'answered', command: command.id, outcome, at: tick() });
    if (refusedLast) outstanding.set(command.id, command);
    else settled.push({ command, outcome });
  }

  function move(wanted: Move): void {
    add(counts.pairs, movePair(wanted));
    apply({ ...wanted, at: tick() });
  }

  /** The same answer once more, or one to a command that was withdrawn: nothing but the number may change. */
  function answerLate(): void {
    const { command, outcome } = pick(settled, random);
    const before = state;
    counts.late++;
    apply({ type: 'answered', command: command.id, outcome, at: tick() });
    assertRule(
      isDeepStrictEqual({ ...before, number: 0 }, { ...state, number: 0 }),
      'a late answer changed the state',
    );
  }

  /** The process dies: what is left are the events, as text. */
  function crash(): void {
    counts.crashes++;
    let folded: RunState | undefined;
    for (const event of JSON.parse(JSON.stringify(log)) as RunEvent[])
      folded = decideWith(folded, event).state;
    assertRule(
      JSON.stringify(folded) === JSON.stringify(state),
      'the fold of the events is another state than the one before the crash',
    );
    state = folded;
  }

  const anyNode = () => (now().nodes.length > 0 ? pick(now().nodes, random).id : 'none');

  /** The event that was tried least here, or in the named place only, if it was tried too little. */
  function seek(place = ''): boolean {
    let best: (() => void) | undefined;
    let least = seekBelow;
    const consider = (pair: string, go: () => void) => {
      const count = counts.pairs.get(pair) ?? 0;
      if (count >= least || !(place === '' || pair.startsWith(`${place} × `))) return;
      least = count;
      best = go;
    };
    const commands = [...outstanding.values()];
    for (const command of place === '' && commands.length > 0 ? [pick(commands, random)] : commands) {
      for (const make of choices.outcomes(now(), command, clock)) {
        const outcome = make();
        consider(answerPair(command, outcome), () => answer(command, outcome));
      }
    }
    const nodeOfEachStage = new Map(now().nodes.map(({ id, stage }) => [stage, id]));
    const isNobody = place === '' ? chance(random, 0.05) : place.endsWith('/no node');
    for (const id of isNobody ? ['none'] : nodeOfEachStage.values())
      for (const [type, make] of Object.entries(choices.moves(now(), id)))
        consider(`${placeOf(isAboutNode(type) ? id : undefined)} × ${type}`, () => move(make()));
    // A state of the run that few nodes of this stage were ever in is worth a stop.
    for (const type of ['stopped', 'suspended'] as const)
      for (const [stage, id] of nodeOfEachStage)
        if (place === '')
          consider(`${type}/${stage} × node_prompted`, () => move(choices.moves(now(), id)[type]()));
    best?.();
    return best !== undefined;
  }

  function step(): void {
    const draw = random();
    if (draw < 0.01) crash();
    else if (draw < 0.04 && settled.length > 0) answerLate();
    else if (draw < 0.5 && seek()) return;
    else if (draw < 0.6) move(randomMove());
    else if (outstanding.size > 0) answerAny(chance(random, 0.6));
    else move(chance(random, 0.6) ? helpfulMove() : randomMove());
  }

  const randomMove = (): Move => {
    const wanted = pick(Object.values(choices.moves(now(), anyNode())), random)();
    return wanted.type === 'cancelled' && chance(random, 0.95) ? { type: 'resumed' } : wanted;
  };

  function answerAny(isGood: boolean): void {
    const command = pick([...outstanding.values()], random);
    const [good, ...bad] = choices.outcomes(now(), command, clock);
    const make = isGood || bad.length === 0 ? good : pick(bad, random);
    if (make) answer(command, make());
  }

  function help(): void {
    if (outstanding.size > 0) answerAny(true);
    const { status, proposal } = now();
    if (outstanding.size === 0 || status === 'stopped' || proposal || rules.waitsForPerson(now()))
      move(helpfulMove());
  }

  function helpfulMove(): Move {
    const { status, proposal, nodes, spent } = now();
    if (status === 'stopped' || status === 'suspended') return { type: 'resumed' };
    if (proposal && refusedLast) return { type: 'plan_rejected', revision: proposal.revision };
    if (proposal) return { type: 'plan_approved', revision: proposal.revision, start: true };
    if (status === 'approved') return { type: 'started' };
    const paused = nodes.find(({ stage }) => stage === 'paused');
    if (paused) return { type: 'node_resumed', node: paused.id };
    const claimed = nodes.find(({ stage }) => stage === 'claimed');
    if (claimed)
      return { type: 'node_completed', node: claimed.id, by: claimed.claimedBy ?? '', commit: 'outside' };
    return { type: 'budget_raised', budget: spent + 1000 };
  }

  /** Trouble for a while, then help: the run has to end. */
  function play(): void {
    const isSought = counts.rare.length > 0 && chance(random, 0.7);
    if (isSought) goTo(pick(counts.rare, random));
    else create();
    const trouble = Math.floor(random() * (isSought ? 20 : 180));
    for (let count = 0; count < trouble; count++) step();
    for (let count = 0; !isOver(); count++) {
      assertRule(count < 5000, 'the run does not end');
      help();
    }
    add(counts.ends, now().status);
    counts.played++;
    if (counts.played % 50 === 0) counts.rare = rareWays(counts, seekBelow);
  }

  const create = () =>
    apply({
      type: 'created',
      run: 'r',
      session: 's',
      prompt: 'x',
      limits: choices.limits(),
      plan: chance(random, 0.7) ? choices.randomPlan() : undefined,
      at: clock,
    });

  return { play, log, describe: () => describe(now(), outstanding) };
}

function describe({ status, phase, nodes }: RunState, outstanding: Map<string, Command>): string {
  const stages = nodes.map(({ id, stage, next }) => `${id} ${stage}${next ? ` (${next})` : ''}`);
  const open = [...outstanding.values()].map(({ kind, node }) => `${kind} ${node ?? ''}`);
  return `${status} ${phase}; ${stages.join(', ')}; open: ${open.join(', ')}`;
}
