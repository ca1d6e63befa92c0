import type { Model, ModelMessage } from '../../src/base/model/index.ts';
import { type Answer, answering, runTestLeg } from './agent-leg.ts';

/*
 * Runs one leg and says `done`. Started as `agent-leg-worker.ts REPOSITORY HOME BASE EPOCH POINT`: it kills itself at the point
 * that many before and after each step and each call of the model; 0 never.
 */
const [repository = '', home = '', base = '', epoch = '1', point = '0'] = process.argv.slice(2);

let passed = 0;
const pass = () => {
  passed += 1;
  if (passed === Number(point)) process.kill(process.pid, 'SIGKILL');
};

/** Several calls at once, then the next ones; each batch is asked for until every call in it has succeeded. */
const goals: Array<Array<{ name: string; input: Record<string, unknown> }>> = [
  [
    { name: 'read_file', input: { path: 'a.txt' } },
    { name: 'read_file', input: { path: 'docs/b.txt' } },
  ],
  [
    { name: 'edit_file', input: { path: 'a.txt', old_content: 'two', new_content: 'TWO' } },
    { name: 'write_file', input: { path: 'src/new.js', content: 'export const one = 1;\n' } },
    { name: 'run_command', input: { command: 'cp a.txt copy.txt && sort copy.txt > sorted.txt' } },
  ],
  [
    { name: 'edit_file', input: { path: 'docs/b.txt', old_content: 'b', new_content: 'B\nB' } },
    { name: 'edit_file', input: { path: 'src/new.js', old_content: '1', new_content: '2' } },
  ],
  [{ name: 'run_command', input: { command: 'wc -l a.txt docs/b.txt > counts.txt' } }],
  [{ name: 'write_file', input: { path: 'z.txt', content: 'last\n' } }],
  [{ name: 'signal_complete', input: { result: 'all of it' } }],
];

/** Keeps nothing: what it says next is in what it was told. */
function nextAnswer(messages: ModelMessage[]): Answer {
  const made = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  const failed = new Set(
    messages.flatMap((message) =>
      message.role === 'tool' ? message.results.filter(({ isError }) => isError).map(({ id }) => id) : [],
    ),
  );
  const isMet = (goal: { name: string; input: object }) =>
    made.some(
      ({ id, name, input }) =>
        name === goal.name && JSON.stringify(input) === JSON.stringify(goal.input) && !failed.has(id),
    );
  const batch = goals
    .map((goalsOfBatch) => goalsOfBatch.filter((goal) => !isMet(goal)))
    .find(({ length }) => length > 0);
  return { calls: batch ?? goals.at(-1) ?? [] };
}

const scripted = answering(
  Array.from(
    { length: 60 },
    () =>
      ({ messages }) =>
        nextAnswer(messages),
  ),
);
const model: Model = {
  ...scripted,
  stream: async (request) => {
    pass();
    const reply = await scripted.stream(request);
    pass();
    return reply;
  },
};
const { outcome } = await runTestLeg({
  repository,
  home,
  base,
  model,
  epoch: Number(epoch),
  rules: [{ action: 'allow', effect: 'command' }],
  around: pass,
});
console.log(`done ${JSON.stringify({ outcome, passed })}`);
