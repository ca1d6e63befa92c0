import type { RunState } from '../../src/engines/orchestrator/index.ts';
import {
  type AnyOutcome,
  type Command,
  type Limits,
  type Move,
  type Plan,
  planSchema,
} from '../../src/stores/runs/index.ts';

export type Random = () => number;

export const pick = <T>(items: readonly T[], random: Random): T =>
  items[Math.floor(random() * items.length)] as T;
export const chance = (random: Random, share: number): boolean => random() < share;

/** Everything that happens by chance in a simulated run: plans, what commands end with, what persons do. */
export function createChoices(random: Random, maxNodes: number) {
  let serial = 0;
  const fresh = (word: string) => `${word}${++serial}`;
  const whole = (limit: number) => Math.floor(random() * limit);

  function randomPlan(most: number, prefix = 'n', earlier: string[] = []): Plan {
    const ids = Array.from({ length: 1 + Math.floor(random() ** 2 * most) }, (_, at) => `${prefix}${at}`);
    const density = pick([0.15, 0.05, 0], random);
    return planSchema.parse({
      prompt: 'a simulated request',
      nodes: ids.map((id, at) => {
        const before = [...earlier, ...ids.slice(0, at)];
        return {
          id,
          agent: pick(
            ['engineer', 'engineer', 'engineer', 'designer', 'tester', 'librarian', 'academic'],
            random,
          ),
          prompt: fresh('do '),
          depends_on: before.filter(() => chance(random, 1.5 / (before.length + 1))),
          touches: ['a', 'b', 'c', 'd/', 'd/e']
            .filter(() => chance(random, density))
            .map((path) => ({
              path,
              probability: pick([1, 0.8, 0.6, 0.3], random),
              shared: chance(random, 0.1),
            })),
          metadata: {
            priority: pick(['low', 'normal', 'high'], random),
            timeout_ms: chance(random, 0.3) ? 1000 + whole(5) : undefined,
            retry: chance(random, 0.3) ? { max: whole(3), backoff_ms: 1000 } : undefined,
          },
        };
      }),
      policy: {
        max_concurrency: 1 + whole(6),
        fail_fast: chance(random, 0.5),
        default_retry: { max: whole(3), backoff_ms: 2000 },
      },
    });
  }

  /** The plan of the run, as somebody might change it; somebody careless changes what is done too. */
  function editedPlan({ plan, nodes }: RunState): Plan {
    if (!plan) return randomPlan(maxNodes);
    const isCareless = chance(random, 0.1);
    const stays = (id: string) =>
      !isCareless && nodes.some((node) => node.id === id && node.stage === 'done');
    const kept = plan.nodes
      .filter(({ id }) => stays(id) || chance(random, 0.9))
      .map((node) => (!stays(node.id) && chance(random, 0.2) ? { ...node, prompt: fresh('do ') } : node));
    const added = kept.length < 60 && chance(random, 0.3) ? randomPlan(2, fresh('x')).nodes : [];
    const all = [...kept, ...added];
    const ids = new Set(all.map(({ id }) => id));
    return {
      ...plan,
      nodes: all.map((node) => ({ ...node, depends_on: node.depends_on.filter((id) => ids.has(id)) })),
    };
  }

  /** Nodes for a plan that is there already; now and then one of them takes the id of a node that it has. */
  function addedPlan({ nodes }: RunState, prefix: string): Plan {
    const known = nodes.map(({ id }) => id);
    const plan = randomPlan(3, fresh(prefix), known.slice(0, 2));
    if (known.length === 0 || chance(random, 0.9)) return plan;
    const [first, ...rest] = plan.nodes;
    return { ...plan, nodes: first ? [{ ...first, id: pick(known, random), depends_on: [] }, ...rest] : [] };
  }

  const wantedPlan = (state: RunState, { purpose }: Command): Plan =>
    purpose === 'fix' ? addedPlan(state, 'fix') : editedPlan(state);

  /** How a command can end, with the good end first. */
  function outcomes(state: RunState, command: Command, at: number): Array<() => AnyOutcome> {
    const { kind, options, subject } = command;
    // Whole numbers too, so that a budget is now and then spent to the last.
    const cost = pick([0, 0, 1, random() * 2], random);
    const failed = (): AnyOutcome => ({
      result: 'failed',
      message: fresh('broke '),
      retryable: chance(random, 0.85),
      cost,
    });
    const parked = (): AnyOutcome => ({
      result: 'parked',
      reason: fresh('limit '),
      wake_at: pick([undefined, at - 5000, at + 5000], random),
      cost,
    });
    const stopped = (): AnyOutcome => ({ result: 'stopped', cost });
    const commit = () => fresh('commit ');
    const judged = (): Array<() => AnyOutcome> => [
      () => ({ result: 'passed' }),
      () => ({ result: 'findings', text: fresh('wrong ') }),
      () => ({ result: 'broken', message: fresh('crashed ') }),
      () => ({ result: 'stopped' }),
    ];
    const changed = (): Array<() => AnyOutcome> => [
      () => ({ result: 'merged', commit: commit() }),
      () => ({ result: 'conflict', text: fresh('both ') }),
      () => ({ result: 'red', text: fresh('tests ') }),
      () => ({ result: 'broken', message: fresh('git ') }),
      () => ({ result: 'stopped' }),
    ];
    const kinds: Record<Command['kind'], () => Array<() => AnyOutcome>> = {
      plan: () => [
        () => ({ result: 'planned', plan: wantedPlan(state, command), cost }),
        failed,
        () => ({ result: 'planned', plan: { ...wantedPlan(state, command), nodes: [] }, cost }),
        () => ({ result: 'asks', question: fresh('which '), cost }),
        parked,
      ],
      plan_tests: () => [
        () => ({ result: 'none', cost }),
        failed,
        () => ({ result: 'planned', plan: addedPlan(state, 'test'), cost }),
        () => ({ result: 'planned', plan: { ...randomPlan(1), nodes: [] }, cost }),
        parked,
      ],
      work: () => [
        () => ({ result: 'done', commit: commit(), output: fresh('output '), cost }),
        failed,
        () => ({ result: 'asks', question: fresh('which '), cost }),
        parked,
        () => ({ result: 'context_full', bundle: fresh('bundle '), commit: commit(), cost }),
        stopped,
      ],
      consult: () => [() => ({ result: 'done', output: fresh('output '), cost }), failed, stopped, parked],
      advise: () => [
        () => ({ result: 'advised', text: fresh('so '), cost }),
        () => ({ result: 'unsure', cost }),
        parked,
      ],
      inspect: () => [...judged(), () => ({ result: 'guarded', text: fresh('judge ') })],
      test: judged,
      inspect_all: judged,
      test_all: judged,
      merge: changed,
      revert: changed,
      land: changed,
      summarise: () => [() => ({ result: 'done', text: fresh('all '), cost }), failed, parked],
      ask: () => {
        const good =
          options?.find((option) => option.startsWith('ignore')) ??
          options?.find((option) => option !== 'fix');
        const reply = (choice: string): AnyOutcome => ({
          result: 'answered',
          choice,
          text: subject === 'budget' ? String(state.spent + 1000) : fresh('go on '),
        });
        return [
          () => reply(good ?? ''),
          ...(options ?? []).map((choice) => () => reply(choice)),
          () => ({
            result: 'answered',
            choice: pick(['', 'nonsense', 'raise'], random),
            text: pick(['', String(state.spent)], random),
          }),
        ];
      },
      wake: () => [() => ({ result: 'woke' })],
    };
    return kinds[kind]();
  }

  /** Everything that a person could do, sensible or not. */
  function moves(state: RunState, node: string): Record<Move['type'], () => Move> {
    const claimant = state.nodes.find(({ id }) => id === node)?.claimedBy;
    const by = () => (claimant && chance(random, 0.8) ? claimant : pick(['ada', 'bob'], random));
    const seen = () => (chance(random, 0.1) ? state.revision - 1 : state.revision);
    const maybe = (word: string, share: number) => (chance(random, share) ? fresh(word) : undefined);
    return {
      stopped: () => ({ type: 'stopped' }),
      suspended: () => ({ type: 'suspended' }),
      resumed: () => ({ type: 'resumed' }),
      cancelled: () => ({ type: 'cancelled' }),
      started: () => ({ type: 'started' }),
      change_requested: () => ({ type: 'change_requested', message: fresh('also ') }),
      plan_edited: () => {
        const plan = editedPlan(state);
        return {
          type: 'plan_edited',
          plan: chance(random, 0.1) ? { ...plan, nodes: [] } : plan,
          revision: seen(),
        };
      },
      plan_approved: () => ({
        type: 'plan_approved',
        revision: seen(),
        start: chance(random, 0.7),
        remarks: maybe('mind ', 0.2),
      }),
      plan_rejected: () => ({ type: 'plan_rejected', revision: state.revision, message: maybe('no ', 0.5) }),
      budget_raised: () => ({ type: 'budget_raised', budget: Math.max(1, state.spent + random() * 20 - 3) }),
      concurrency_set: () => ({ type: 'concurrency_set', concurrency: 1 + whole(6) }),
      node_prompted: () => ({
        type: 'node_prompted',
        node,
        message: fresh('hint '),
        question: chance(random, 0.3) || undefined,
      }),
      node_interrupted: () => ({ type: 'node_interrupted', node }),
      node_resumed: () => ({ type: 'node_resumed', node }),
      node_cancelled: () => ({ type: 'node_cancelled', node }),
      node_dropped: () => ({ type: 'node_dropped', node }),
      node_retried: () => ({ type: 'node_retried', node, message: maybe('again ', 0.5) }),
      node_handed_over: () => ({ type: 'node_handed_over', node }),
      gate_overridden: () => ({
        type: 'gate_overridden',
        node,
        gate: pick(['inspector', 'tester'] as const, random),
        taken_back: chance(random, 0.3) || undefined,
      }),
      node_claimed: () => ({
        type: 'node_claimed',
        node,
        by: by(),
        lease_ms: chance(random, 0.5) ? 1000 + whole(5000) : undefined,
      }),
      node_completed: () => ({ type: 'node_completed', node, by: by(), commit: fresh('outside ') }),
      node_released: () => ({ type: 'node_released', node, by: by() }),
      landing_requested: () => ({ type: 'landing_requested', target: 'main' }),
    };
  }

  const limits = (): Limits => ({
    concurrency: 1 + whole(6),
    loops: whole(4),
    handovers: whole(3),
    fix_rounds: whole(3),
    plan_attempts: 1 + whole(3),
    budget: pick([undefined, undefined, undefined, whole(4), 5 + random() * 60], random),
  });

  /** A run is created with a plan or without; now and then the plan can't run. */
  const firstPlan = (): Plan | undefined => {
    const plan = randomPlan(chance(random, 0.8) ? 6 : maxNodes);
    return pick([undefined, plan, plan, chance(random, 0.1) ? { ...plan, nodes: [] } : plan], random);
  };

  return { firstPlan, outcomes, moves, limits };
}

export type Choices = ReturnType<typeof createChoices>;
