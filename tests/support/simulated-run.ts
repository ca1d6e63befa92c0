import { isDeepStrictEqual } from 'node:util';
import { decide, type NodeState, type RunState } from '../../src/engines/orchestrator/index.ts';
import {
  type AnyOutcome,
  type Command,
  type Move,
  type RunEvent,
  waitingKinds,
} from '../../src/stores/runs/index.ts';
import { assertRule } from './run-acceptance.ts';
import { reachablePairs } from './run-pairs.ts';
import { createRunRules } from './run-rules.ts';
import { type Choices, chance, createChoices, pick, type Random } from './simulated-choices.ts';
import {
  add,
  type Coverage,
  detailOf,
  nodeDetailOf,
  placeOf,
  placeToBegin,
  rarePlaces,
  rememberWays,
} from './simulated-coverage.ts';

export interface SimulationOptions {
  decideWith?: typeof decide;
  maxNodes?: number;
  /** How often a pair of state and event is sought out before chance alone decides. */
  seekBelow?: number;
}

/** A run in a world of chance: commands are answered in any order, late, twice; the process dies; persons interfere. */
export function simulateRun(random: Random, counts: Coverage, options: SimulationOptions = {}) {
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

  const answerPair = (command: Command, { result }: AnyOutcome) =>
    `${placeOf(now(), command.node)} × ${command.kind} ${result}`;
  const movePair = (move: Move) => `${placeOf(now(), 'node' in move ? move.node : undefined)} × ${move.type}`;
  /** In more detail. */
  const variantOf = (node: string | undefined, event: string) =>
    node === undefined
      ? `${detailOf(now())} × ${event}`
      : `${placeOf(now())}: ${nodeDetailOf(nodeOf(node))} × ${event}`;
  const answerVariant = (command: Command, outcome: AnyOutcome) => {
    const { kind, node, subject = '', purpose = '' } = command;
    const word = 'choice' in outcome ? outcome.choice : '';
    return variantOf(node, [kind, subject, purpose, outcome.result, word].join(' '));
  };
  const moveVariant = (move: Move) => variantOf('node' in move ? move.node : undefined, move.type);

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
      rememberWays(counts, before, now(), outstanding.values(), log);
    }
    rules.check(before, event, decision, outstanding);
  }

  /** Begins where another run was once and, in a place that few have seen, tries there what was tried least. */
  function goOnFrom(way: readonly RunEvent[], place?: string): void {
    for (const event of way) {
      const command = event.type === 'answered' ? outstanding.get(event.command) : undefined;
      if (command && event.type === 'answered') {
        outstanding.delete(event.command);
        settled.push({ command, outcome: event.outcome });
      }
      clock = Math.max(clock, event.at);
      apply(event);
    }
    const isThere = () =>
      [placeOf(now()), `${placeOf(now())}/no node`].includes(place ?? '') ||
      now().nodes.some(({ id }) => placeOf(now(), id) === place);
    // A refused move leaves the run where it is.
    for (let count = 0; count < 60 && place !== undefined && isThere() && seek(place); count++);
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
    add(counts.variants, answerVariant(command, outcome));
    if (command.kind === 'wake') clock = Math.max(clock, command.at ?? 0);
    outstanding.delete(command.id);
    apply({ type: 'answered', command: command.id, outcome, at: tick() });
    if (refusedLast) outstanding.set(command.id, command);
    else settled.push({ command, outcome });
  }

  function move(wanted: Move): void {
    add(counts.pairs, movePair(wanted));
    add(counts.variants, moveVariant(wanted));
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
    const consider = (pair: string, variant: string, go: () => void) => {
      if (!(place === '' || pair.startsWith(`${place} × `))) return;
      const met = counts.pairs.get(pair) ?? 0;
      // What was met often enough as a pair is still worth a try in a detail that is new.
      const count =
        met < seekBelow || place !== ''
          ? met
          : Math.min(seekBelow - 1, counts.variants.get(variant) ?? 0) + 0.5;
      if (count >= least) return;
      least = count;
      best = go;
    };
    const commands = [...outstanding.values()];
    for (const command of place === '' && commands.length > 0 ? [pick(commands, random)] : commands) {
      for (const make of choices.outcomes(now(), command, clock)) {
        const outcome = make();
        const go = () => answer(command, outcome);
        consider(answerPair(command, outcome), answerVariant(command, outcome), go);
      }
    }
    const nodeOfEachStage = new Map(now().nodes.map(({ id, stage }) => [stage, id]));
    const isNobody = place === '' ? chance(random, 0.05) : place.endsWith('/no node');
    for (const id of isNobody || nodeOfEachStage.size === 0 ? ['none'] : nodeOfEachStage.values())
      for (const [type, make] of Object.entries(choices.moves(now(), id))) {
        const node = isAboutNode(type) ? id : undefined;
        consider(`${placeOf(now(), node)} × ${type}`, variantOf(node, type), () => move(make()));
      }
    // A state of the run that few nodes of this stage were ever in is worth a stop.
    for (const type of now().status === 'running' && place === '' ? (['stopped', 'suspended'] as const) : [])
      for (const [stage, id] of nodeOfEachStage) {
        const pair = `${type}/${stage} × node_prompted`;
        if (reachablePairs.has(pair) && (counts.pairs.get(pair) ?? 0) < seekBelow)
          consider(pair, pair, () => move(choices.moves(now(), id)[type]()));
      }
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
    if (outstanding.size > 0) answerAny(chance(random, 0.9));
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
    const begin = placeToBegin(counts, random);
    if (begin) goOnFrom(begin.way, begin.place);
    else create();
    const trouble = Math.floor(random() * (begin ? 30 : 120));
    for (let count = 0; count < trouble; count++) step();
    for (let count = 0; !isOver(); count++) {
      assertRule(count < 5000, 'the run does not end');
      help();
    }
    add(counts.ends, now().status);
    counts.played++;
    if (counts.played % 50 === 0) counts.rare = rarePlaces(counts, seekBelow);
  }

  const create = () =>
    apply({
      type: 'created',
      run: 'r',
      session: 's',
      prompt: 'x',
      limits: choices.limits(),
      plan: choices.firstPlan(),
      at: clock,
    });

  return { play, log, describe: () => describe(now(), outstanding) };
}

function describe({ status, phase, nodes }: RunState, outstanding: Map<string, Command>): string {
  const stages = nodes.map(({ id, stage, next }) => `${id} ${stage}${next ? ` (${next})` : ''}`);
  const open = [...outstanding.values()].map(({ kind, node }) => `${kind} ${node ?? ''}`);
  return `${status} ${phase}; ${stages.join(', ')}; open: ${open.join(', ')}`;
}
