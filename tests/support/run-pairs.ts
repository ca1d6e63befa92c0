import { commandKinds, moveSchema, outcomeSchemas } from '../../src/stores/runs/index.ts';
import unreachable from './unreachable-pairs.json' with { type: 'json' };

/* Every pair of a state and an event that can be written down, and which of them no run can meet. */

const runs = [
  'planning',
  'proposed',
  'approved',
  ...['plan', 'execute', 'inspect', 'test', 'summary', 'done'].map((phase) => `running ${phase}`),
  'halting',
  'stopped',
  'suspended',
  'completed',
  'failed',
  'cancelled',
];

const stages = [
  'pending',
  'queued',
  'working',
  'inspecting',
  'testing',
  'merging',
  'reverting',
  'asking',
  'parked',
  'paused',
  'claimed',
  'done',
  'failed',
  'skipped',
  'cancelled',
  'dropped',
  'no node',
];

/** Commands of the run as a whole; `ask` and `wake` are of both. */
const ofRuns = ['plan', 'plan_tests', 'inspect_all', 'test_all', 'summarise', 'land', 'ask', 'wake'];
const ofNodes = ['work', 'consult', 'advise', 'inspect', 'test', 'merge', 'revert', 'ask', 'wake'];

const answersOf = (kinds: string[]): string[] =>
  commandKinds
    .filter((kind) => kinds.includes(kind))
    .flatMap((kind) => {
      const schema = outcomeSchemas[kind];
      const ends = 'options' in schema ? schema.options : [schema];
      return ends.map(({ shape }) => `${kind} ${shape.result.value}`);
    });
const movesOf = (isOfNode: boolean): string[] =>
  moveSchema.options.filter(({ shape }) => 'node' in shape === isOfNode).map(({ shape }) => shape.type.value);

const runEvents = [...movesOf(false), ...answersOf(ofRuns)];
const nodeEvents = [...movesOf(true), ...answersOf(ofNodes)];

const isWhole = (pattern: string | undefined, text: string): boolean =>
  pattern === undefined || new RegExp(`^(?:${pattern})$`).test(text);

export interface Pair {
  name: string;
  /** Why no run can meet it. */
  unreachable: string | undefined;
}

function pairOf(run: string, stage: string, event: string): Pair {
  const place = stage === '' ? run : `${run}/${stage}`;
  const rule = unreachable.find(
    (each) => isWhole(each.run, run) && isWhole(each.stage, stage) && isWhole(each.event, event),
  );
  return { name: `${place} × ${event}`, unreachable: rule?.reason };
}

export const allPairs: readonly Pair[] = runs.flatMap((run) => [
  ...runEvents.map((event) => pairOf(run, '', event)),
  ...stages.flatMap((stage) => nodeEvents.map((event) => pairOf(run, stage, event))),
]);

export const reachablePairs: ReadonlySet<string> = new Set(
  allPairs.flatMap(({ name, unreachable }) => (unreachable === undefined ? [name] : [])),
);
