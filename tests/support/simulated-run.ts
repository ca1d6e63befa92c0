import { isDeepStrictEqual } from 'node:util';
import {
  type Decision,
  decide,
  type NodeState,
  type RunState,
} from '../../src/engines/orchestrator/index.ts';
import {
  type AnyOutcome,
  type Command,
  type Limits,
  type Move,
  type Plan,
  paidKinds,
  planSchema,
  type RunEvent,
  waitingKinds,
} from '../../src/stores/runs/index.ts';

export type Random = () => number;

/** What was tried, over all runs: pairs of a state and an event that met in it. */
export class Counts {
  readonly pairs = new Map<string, number>();
  readonly ends = new Map<string, number>();
  events = 0;
  crashes = 0;
  late = 0;
  refused = 0;

  add(map: Map<string, number>, key: string): void {
    map.set(key, (map.get(key) ?? 0) + 1);
  }
}

const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T;
const chance = (random: Random, share: number): boolean => random() < share;

function randomPlan(random: Random, maxNodes: number, prefix = 'n', earlier: string[] = []): Plan {
  const size = 1 + Math.floor(random() ** 2 * maxNodes);
  const ids = Array.from({ length: size }, (_, at) => `${prefix}${at}`);
  return planSchema.parse({
    prompt: 'a simulated request',
    nodes: ids.map((id, at) => {
      const before = [...earlier, ...ids.slice(0, at)];
      const depends_on = [...new Set(before.filter(() => chance(random, 1.5 / (before.length + 1))))];
      return {
        id,
        agent: pick(
          ['engineer', 'engineer', 'engineer', 'designer', 'tester', 'librarian', 'academic'],
          random,
        ),
        prompt: `do ${id} ${Math.floor(random() * 3)}`,
        depends_on,
        touches: ['a', 'b', 'c', 'd', 'e'].filter(() => chance(random, 0.15)),
        metadata: {
          priority: pick(['low', 'normal', 'high'], random),
          retry: chance(random, 0.3) ? { max: Math.floor(random() * 3), backoff_ms: 1000 } : undefined,
        },
      };
    }),
    policy: { max_concurrency: 1 + Math.floor(random() * 6), fail_fast: chance(random, 0.5) },
  });
}

/** Stages that have an open command, and of which kind. */
const commandsOfStage: Record<string, string[]> = {
  working: ['work', 'consult'],
  inspecting: ['inspect'],
  testing: ['test'],
  merging: ['merge'],
  reverting: ['revert'],
  asking: ['ask', 'advise'],
  parked: ['wake'],
};

/** A run in a world of chance: commands are answered in any order, late, twice; the process dies; persons interfere. */
export class SimulatedRun {
  state!: RunState;
  readonly log: RunEvent[] = [];
  /** As a journal would have them: commands that went out and were neither answered nor withdrawn. */
  readonly outstanding = new Map<string, Command>();
  private readonly settled: Array<{ command: Command; outcome: AnyOutcome }> = [];
  private readonly merged = new Set<string>();
  private readonly limits: Limits;
  private clock = 1_000_000;
  private spent = 0;
  private fixes = 0;
  private refusedLast = false;

  private readonly random: Random;
  private readonly counts: Counts;
  private readonly decideWith: typeof decide;
  private readonly maxNodes: number;

  constructor(random: Random, counts: Counts, decideWith: typeof decide = decide, maxNodes = 60) {
    this.random = random;
    this.counts = counts;
    this.decideWith = decideWith;
    this.maxNodes = maxNodes;
    this.limits = {
      concurrency: 1 + Math.floor(random() * 6),
      loops: Math.floor(random() * 4),
      handovers: Math.floor(random() * 3),
      fix_rounds: Math.floor(random() * 3),
      plan_attempts: 1 + Math.floor(random() * 3),
      budget: chance(random, 0.3) ? 5 + random() * 60 : undefined,
    };
    const plan = chance(random, 0.7) ? randomPlan(random, maxNodes) : undefined;
    this.apply({
      type: 'created',
      run: 'r',
      session: 's',
      prompt: 'x',
      limits: this.limits,
      plan,
      at: this.clock,
    });
  }

  /** Trouble for a while, then help: the run has to end. */
  play(): void {
    const trouble = Math.floor(this.random() * 400);
    for (let step = 0; step < trouble && !this.isOver(); step++) this.step();
    for (let step = 0; !this.isOver(); step++) {
      if (step > 5000) throw new Error(`the run does not end: ${this.describe()}`);
      this.help();
    }
    if (chance(this.random, 0.3)) this.step();
    this.counts.add(this.counts.ends, this.state.status);
  }

  private isOver(): boolean {
    return ['completed', 'failed', 'cancelled'].includes(this.state.status) && this.outstanding.size === 0;
  }

  private step(): void {
    const draw = this.random();
    if (draw < 0.01) this.crash();
    else if (draw < 0.04 && this.settled.length > 0) this.answerLate();
    else if (draw < 0.2) this.move(this.randomMove());
    else if (draw < 0.22 && this.state.proposal) this.reply(this.state.proposal.revision);
    else this.answerOne((command) => this.randomOutcome(command));
    if (this.outstanding.size === 0) this.nudge(this.randomMove());
  }

  /** Nothing is open: only a person can go on. */
  private nudge(otherwise: Move): void {
    const { proposal } = this.state;
    if (proposal && this.random() < 0.7) this.reply(proposal.revision);
    else this.move(this.random() < 0.5 ? this.helpfulMove() : otherwise);
  }

  private reply(revision: number): void {
    this.move(
      chance(this.random, 0.7)
        ? {
            type: 'plan_approved',
            revision: chance(this.random, 0.1) ? revision - 1 : revision,
            start: chance(this.random, 0.8),
          }
        : { type: 'plan_rejected', revision, message: chance(this.random, 0.5) ? 'other' : undefined },
    );
  }

  private help(): void {
    if (this.outstanding.size > 0) this.answerOne((command) => this.goodOutcome(command));
    if (
      this.outstanding.size === 0 ||
      this.state.status === 'stopped' ||
      this.state.proposal ||
      this.waitsForPerson()
    )
      this.move(this.helpfulMove());
  }

  private waitsForPerson(): boolean {
    return this.state.nodes.some(({ stage }) => stage === 'paused' || stage === 'claimed');
  }

  private helpfulMove(): Move {
    const { status, proposal, nodes } = this.state;
    if (status === 'stopped' || status === 'suspended') return { type: 'resumed' };
    if (proposal && this.refusedLast) return { type: 'plan_rejected', revision: proposal.revision };
    if (proposal) return { type: 'plan_approved', revision: proposal.revision, start: true };
    if (status === 'approved') return { type: 'started' };
    const paused = nodes.find(({ stage }) => stage === 'paused');
    if (paused) return { type: 'node_resumed', node: paused.id };
    const claimed = nodes.find(({ stage }) => stage === 'claimed');
    if (claimed)
      return { type: 'node_completed', node: claimed.id, by: claimed.claimedBy ?? '', commit: 'c' };
    return { type: 'budget_raised', budget: this.spent + 1000 };
  }

  private randomMove(): Move {
    const node = this.state.nodes.length > 0 ? pick(this.state.nodes, this.random).id : 'none';
    const by = pick(['ada', 'bob'], this.random);
    const moves: Array<() => Move> = [
      () => ({ type: 'stopped' }),
      () => ({ type: 'suspended' }),
      () => ({ type: 'resumed' }),
      () => (chance(this.random, 0.05) ? { type: 'cancelled' } : { type: 'resumed' }),
      () => ({ type: 'started' }),
      () => ({ type: 'change_requested', message: 'also x' }),
      () => ({ type: 'plan_edited', plan: this.editedPlan() }),
      () => ({ type: 'plan_approved', revision: this.state.revision, start: true }),
      () => ({ type: 'plan_rejected', revision: this.state.revision, message: 'no' }),
      () => ({ type: 'budget_raised', budget: this.spent + this.random() * 20 }),
      () => ({ type: 'concurrency_set', concurrency: 1 + Math.floor(this.random() * 6) }),
      () => ({ type: 'node_prompted', node, message: 'hint' }),
      () => ({ type: 'node_interrupted', node }),
      () => ({ type: 'node_resumed', node }),
      () => ({ type: 'node_cancelled', node }),
      () => ({ type: 'node_dropped', node }),
      () => ({ type: 'node_retried', node, message: 'again' }),
      () => ({ type: 'node_handed_over', node }),
      () => ({ type: 'gate_overridden', node, gate: pick(['inspector', 'tester'] as const, this.random) }),
      () => ({ type: 'node_claimed', node, by }),
      () => ({ type: 'node_completed', node, by, commit: 'outside' }),
      () => ({ type: 'node_released', node, by }),
      () => ({ type: 'landing_requested', target: 'main' }),
    ];
    return pick(moves, this.random)();
  }

  private editedPlan(): Plan {
    const plan = this.state.plan ?? randomPlan(this.random, this.maxNodes);
    const isDone = (id: string) => this.node(id)?.stage === 'done';
    const nodes = plan.nodes
      .filter(({ id }) => isDone(id) || chance(this.random, 0.9))
      .map((node) =>
        chance(this.random, isDone(node.id) ? 0.01 : 0.2) ? { ...node, prompt: `${node.prompt}!` } : node,
      );
    const ids = new Set(nodes.map(({ id }) => id));
    return {
      ...plan,
      nodes: nodes.map((node) => ({ ...node, depends_on: node.depends_on.filter((id) => ids.has(id)) })),
    };
  }

  private answerOne(outcomeOf: (command: Command) => AnyOutcome): void {
    if (this.outstanding.size === 0) return;
    const command = pick([...this.outstanding.values()], this.random);
    const outcome = outcomeOf(command);
    if (command.kind === 'wake') this.clock = Math.max(this.clock, command.at ?? 0);
    this.answer(command, outcome);
  }

  private answer(command: Command, outcome: AnyOutcome): void {
    this.outstanding.delete(command.id);
    this.settled.push({ command, outcome });
    if ('cost' in outcome) this.spent += outcome.cost;
    if (command.kind === 'merge' && outcome.result === 'merged') {
      assert(!this.merged.has(command.node ?? ''), `${command.node} was merged twice`);
      this.merged.add(command.node ?? '');
    }
    if (command.kind === 'revert' && outcome.result === 'merged') this.merged.delete(command.node ?? '');
    this.counts.add(this.counts.pairs, `${this.stateOf(command)} × ${command.kind} ${outcome.result}`);
    this.apply({ type: 'answered', command: command.id, outcome, at: this.tick() });
  }

  private stateOf(command: Command): string {
    const { status } = this.state;
    return command.node === undefined ? status : `${status}/${this.node(command.node)?.stage}`;
  }

  private node(id: string): NodeState | undefined {
    return this.state.nodes.find((node) => node.id === id);
  }

  /** The same answer once more, or one to a command that was withdrawn: nothing but the number may change. */
  private answerLate(): void {
    const { command, outcome } = pick(this.settled, this.random);
    const before = this.state;
    this.counts.late++;
    this.apply({ type: 'answered', command: command.id, outcome, at: this.tick() });
    assert(
      isDeepStrictEqual({ ...before, number: 0 }, { ...this.state, number: 0 }),
      'a late answer changed the state',
    );
  }

  private tick(): number {
    this.clock += Math.floor(this.random() * 1000);
    return this.clock;
  }

  private move(move: Move): void {
    const before = this.state;
    const place = 'node' in move ? `${before.status}/${this.node(move.node)?.stage}` : before.status;
    this.counts.add(this.counts.pairs, `${place} × ${move.type}`);
    this.apply({ ...move, at: this.tick() });
  }

  /** The process dies: what is left are the events, as text. */
  private crash(): void {
    this.counts.crashes++;
    const events: RunEvent[] = JSON.parse(JSON.stringify(this.log));
    let folded: RunState | undefined;
    for (const event of events) folded = this.decideWith(folded, event).state;
    assert(
      JSON.stringify(folded) === JSON.stringify(this.state),
      'the fold of the events is another state than the one before the crash',
    );
    if (folded) this.state = folded;
  }

  private apply(event: RunEvent): void {
    const before = this.state as RunState | undefined;
    const frozen = before && this.counts.events % 97 === 0 ? structuredClone(before) : undefined;
    const decision = this.decideWith(before, event);
    this.counts.events++;
    if (frozen) assert(isDeepStrictEqual(frozen, before), 'deciding changed the state that it was given');
    this.refusedLast = decision.refused !== undefined;
    if (decision.refused) {
      this.counts.refused++;
      assert(decision.state === before && decision.commands.length === 0, 'a refused move had an effect');
      return;
    }
    this.log.push(event);
    this.state = decision.state;
    for (const id of decision.withdrawn) this.withdraw(id);
    for (const command of decision.commands) {
      assert(!this.outstanding.has(command.id), `the id ${command.id} was used before`);
      this.outstanding.set(command.id, command);
    }
    this.check(before, decision);
  }

  private withdraw(id: string): void {
    const command = this.outstanding.get(id);
    assert(
      command !== undefined && waitingKinds.has(command.kind),
      `${id} is withdrawn while it is executed`,
    );
    this.outstanding.delete(id);
    this.settled.push({ command, outcome: this.randomOutcome(command) });
  }

  private check(before: RunState | undefined, { state, commands, signals }: Decision): void {
    const open = [...this.outstanding.values()];
    assert(
      state.open.length === this.outstanding.size && state.open.every(({ id }) => this.outstanding.has(id)),
      'the state knows other open commands than the journal',
    );
    for (const signal of signals)
      assert(this.outstanding.has(signal.command), 'a signal to a command that is not open');
    const byNode = Map.groupBy(open, (command) => command.node);
    for (const node of state.nodes) this.checkNode(node, byNode.get(node.id) ?? []);
    const executing = open.filter(({ kind }) => !waitingKinds.has(kind));
    if (state.status === 'stopped' || state.status === 'suspended')
      assert(executing.length === 0, `${state.status} with commands under way`);
    if (['failed', 'cancelled'].includes(state.status))
      assert(open.length === 0, `${state.status} with open commands`);
    assert(
      open.filter(({ kind }) => kind === 'merge' || kind === 'revert').length <= 1,
      'two merges at once',
    );
    assert(open.filter(({ kind }) => kind === 'plan').length <= 1, 'two plans at once');
    for (const command of commands) this.checkIssued(command, state, before);
    assert(state.fixRounds <= state.limits.fix_rounds, 'more rounds of fixes than allowed');
    if (state.status === 'running' && open.length === 0 && !state.proposal)
      assert(this.waitsForPerson(), `nothing is open and nobody is asked: ${this.describe()}`);
    if (state.status === 'completed') this.checkCompleted(state);
  }

  private checkCompleted(state: RunState): void {
    for (const node of state.nodes) {
      assert(
        ['done', 'dropped', 'skipped', 'cancelled'].includes(node.stage),
        `completed with ${node.id} ${node.stage}`,
      );
      if (node.stage === 'done')
        assert(node.merged === undefined || this.merged.has(node.id), `${node.id} is done unmerged`);
    }
  }

  private checkNode(node: NodeState, open: Command[]): void {
    const { id, stage, loops, spec } = node;
    assert(open.length <= 1, `${id} has ${open.length} open commands`);
    const [command] = open;
    const expected = commandsOfStage;
    assert(
      command ? (expected[stage]?.includes(command.kind) ?? false) : expected[stage] === undefined,
      `${id} is ${stage} with ${command?.kind ?? 'no command'}`,
    );
    assert(node.command === command?.id, `${id} names another command than the open one`);
    for (const [judge, count] of Object.entries(loops))
      assert(count <= this.limits.loops, `${id} was sent back ${count} times by ${judge}`);
    const retry = spec.metadata.retry ?? this.state.plan?.policy.default_retry;
    // A revision of the plan may allow fewer retries than have happened.
    assert(node.attempts <= Math.max(retry?.max ?? 0, 2), `${id} was retried ${node.attempts} times`);
  }

  private checkIssued(command: Command, state: RunState, before: RunState | undefined): void {
    const { kind } = command;
    const node = state.nodes.find(({ id }) => id === command.node);
    if (paidKinds.has(kind))
      assert(state.limits.budget === undefined || this.spent < state.limits.budget, `${kind} over budget`);
    if (['work', 'consult', 'inspect', 'test', 'merge'].includes(kind))
      assert(
        state.status === 'running' && state.phase === 'execute',
        `${kind} while ${state.status} ${state.phase}`,
      );
    if (!node || !['work', 'consult', 'inspect', 'test'].includes(kind)) return;
    const busy = [...this.outstanding.values()].filter(({ kind }) =>
      ['work', 'consult', 'inspect', 'test'].includes(kind),
    );
    const concurrency = Math.min(state.limits.concurrency, state.plan?.policy.max_concurrency ?? 1);
    const wasBusy =
      before?.open.filter(({ kind }) => ['work', 'consult', 'inspect', 'test'].includes(kind)).length ?? 0;
    assert(busy.length <= Math.max(concurrency, wasBusy), `${busy.length} at work, ${concurrency} allowed`);
    if (kind === 'work' || kind === 'consult') this.checkStart(node, state, before);
  }

  private checkStart(node: NodeState, state: RunState, before: RunState | undefined): void {
    const unmet = node.spec.depends_on.filter((id) => !this.isMet(id, state, new Set()));
    const first = before?.nodes.find(({ id }) => id === node.id)?.stage === 'pending';
    // A dependency that a person dropped or a new revision added later does not stop what has begun.
    if (first) assert(unmet.length === 0, `${node.id} started before ${unmet.join(', ')}`);
    if (!first) return;
    assert(!state.proposal, `${node.id} started while a plan waits for a person`);
    const neighbours = state.nodes.filter(
      (other) =>
        other.id !== node.id &&
        !['pending', 'done', 'failed', 'skipped', 'cancelled', 'dropped'].includes(other.stage) &&
        other.spec.touches.some((path) => node.spec.touches.includes(path)),
    );
    assert(
      neighbours.length === 0,
      `${node.id} touches the files of ${neighbours.map(({ id }) => id).join(', ')}`,
    );
  }

  private isMet(id: string, state: RunState, seen: Set<string>): boolean {
    if (seen.has(id)) return false;
    const node = state.nodes.find((each) => each.id === id);
    if (!node || node.stage === 'done') return true;
    return (
      node.stage === 'dropped' && node.spec.depends_on.every((each) => this.isMet(each, state, seen.add(id)))
    );
  }

  private goodOutcome({ kind, options, subject }: Command): AnyOutcome {
    const cost = 0;
    if (kind === 'plan') return { result: 'planned', plan: this.planFor(), cost };
    if (kind === 'plan_tests') return { result: 'none', cost };
    if (kind === 'work') return { result: 'done', commit: 'good', output: '', cost };
    if (kind === 'consult') return { result: 'done', output: 'known', cost };
    if (kind === 'advise') return { result: 'advised', text: 'so', cost };
    if (kind === 'merge' || kind === 'revert' || kind === 'land')
      return { result: 'merged', commit: 'merge' };
    if (kind === 'summarise') return { result: 'done', text: 'all', cost };
    if (kind === 'wake') return { result: 'woke' };
    if (kind !== 'ask') return { result: 'passed' };
    const choice =
      subject === 'budget'
        ? 'raise'
        : (options?.find((option) => option.startsWith('ignore')) ?? options?.[0] ?? '');
    return { result: 'answered', choice, text: subject === 'budget' ? String(this.spent + 1000) : 'go on' };
  }

  private planFor(): Plan {
    const { plan, findings, nodes } = this.state;
    if (plan && findings !== undefined && this.state.open.some(({ purpose }) => purpose === 'fix'))
      return randomPlan(
        this.random,
        3,
        `fix${this.fixes++}-`,
        nodes.slice(0, 2).map(({ id }) => id),
      );
    return plan ? this.editedPlan() : randomPlan(this.random, this.maxNodes);
  }

  private randomOutcome(command: Command): AnyOutcome {
    if (chance(this.random, 0.6)) return this.goodOutcome(command);
    const { kind, options } = command;
    const cost = this.random() * 2;
    const failed = (): AnyOutcome => ({
      result: 'failed',
      message: 'broke',
      retryable: chance(this.random, 0.85),
      cost,
    });
    const bad: Partial<Record<Command['kind'], Array<() => AnyOutcome>>> = {
      plan: [failed, () => ({ result: 'planned', plan: { ...this.planFor(), nodes: [] }, cost })],
      plan_tests: [
        failed,
        () => ({ result: 'planned', plan: randomPlan(this.random, 3, `test${this.fixes++}-`), cost }),
      ],
      work: [
        failed,
        () => ({ result: 'asks', question: 'which?', cost }),
        () => ({
          result: 'parked',
          reason: 'limit',
          wake_at: chance(this.random, 0.7) ? this.clock + 5000 : undefined,
          cost,
        }),
        () => ({ result: 'context_full', bundle: 'so far', commit: 'half', cost }),
        () => ({ result: 'stopped', cost }),
      ],
      consult: [failed, () => ({ result: 'stopped', cost })],
      advise: [() => ({ result: 'unsure', cost })],
      merge: [
        () => ({ result: 'conflict', text: 'both' }),
        () => ({ result: 'red', text: 'tests' }),
        () => ({ result: 'broken', message: 'git' }),
        () => ({ result: 'stopped' }),
      ],
      summarise: [failed],
      ask: [
        () => ({ result: 'answered', choice: pick(options?.length ? options : [''], this.random), text: '' }),
      ],
      wake: [() => ({ result: 'woke' })],
    };
    bad.revert = bad.merge;
    bad.land = bad.merge;
    const judged: Array<() => AnyOutcome> = [
      () => ({ result: 'findings', text: 'wrong' }),
      () => ({ result: 'findings', text: 'wrong' }),
      () => ({ result: 'broken', message: 'crashed' }),
      () => ({ result: 'stopped' }),
    ];
    return pick(bad[kind] ?? judged, this.random)();
  }

  describe(): string {
    const nodes = this.state.nodes.map(({ id, stage, next }) => `${id} ${stage}${next ? ` (${next})` : ''}`);
    return `${this.state.status} ${this.state.phase}, ${nodes.join(', ')}; open ${[...this.outstanding.values()].map(({ kind, node }) => `${kind} ${node ?? ''}`).join(', ')}`;
  }
}

function assert(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}
