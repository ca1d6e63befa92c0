import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Plan, planSchema } from '../../stores/runs/index.ts';
import { checkPlan } from './index.ts';
import { parsePlanText, readPlan, writePlanMarkdown } from './plan-text.ts';
import { sharedTouch } from './touches.ts';

type Node = { id: string; agent?: string; depends_on?: string[]; upstream?: string[]; operations?: string[] };

const planOf = (nodes: Node[], more: object = {}): Plan =>
  planSchema.parse({
    prompt: 'add a rate limiter',
    nodes: nodes.map(({ id, agent = 'engineer', depends_on, upstream, operations }) => ({
      id,
      agent,
      prompt: `do ${id}`,
      depends_on,
      context: { upstream_outputs: upstream },
      metadata: { file_operations: operations },
    })),
    ...more,
  });

const problemsOf = (plan: Plan) => checkPlan(plan).problems.map(({ node, message }) => `${node}: ${message}`);

test('a sound plan has no problems, and its layers follow its dependencies', () => {
  const plan = planOf([
    { id: 'd', depends_on: ['b', 'c'] },
    { id: 'a' },
    { id: 'b', depends_on: ['a'] },
    { id: 'c' },
  ]);
  expect(checkPlan(plan)).toEqual({ problems: [], layers: [['a', 'c'], ['b'], ['d']], waits: [] });
});

test('the order that a design gives with nodes that nobody defines is refused with their names', () => {
  const plan = planOf(
    [
      { id: 't1', agent: 'librarian' },
      { id: 't2', depends_on: ['t1'], upstream: ['t1'] },
    ],
    {
      execution_order: [['t1'], ['t2', 't3'], ['t4']],
    },
  );
  expect(problemsOf(plan)).toEqual([
    ': execution_order names "t3", which no node defines.',
    ': execution_order names "t4", which no node defines.',
  ]);
});

test.each<[string, Plan, string]>([
  [
    'an unknown agent, with the nearest',
    planOf([{ id: 'a', agent: 'enginer' }]),
    'a: Unknown agent "enginer". Did you mean "engineer"?',
  ],
  [
    'an id that is used twice',
    planOf([{ id: 'a' }, { id: 'a' }]),
    'a: The id "a" is used by more than one node.',
  ],
  [
    'a cycle, with its path',
    planOf([
      { id: 'a', depends_on: ['c'] },
      { id: 'b', depends_on: ['a'] },
      { id: 'c', depends_on: ['b'] },
    ]),
    'a: Cycle: a → c → b → a.',
  ],
  ['a node that depends on itself', planOf([{ id: 'a', depends_on: ['a'] }]), 'a: Cycle: a → a.'],
  [
    'a dependency that no node defines',
    planOf([{ id: 'a', depends_on: ['x'] }]),
    'a: depends_on names "x", which no node defines.',
  ],
  [
    'a dependency that is mistyped, with the nearest',
    planOf([{ id: 'patterns' }, { id: 'a', depends_on: ['pattern'] }]),
    'a: depends_on names "pattern", which no node defines. Did you mean "patterns"?',
  ],
  [
    'an output of a node that is no ancestor',
    planOf([{ id: 'a' }, { id: 'b', upstream: ['a'] }]),
    'b: upstream_outputs names "a", on which the node does not depend.',
  ],
  [
    'an order against the dependencies',
    planOf([{ id: 'a' }, { id: 'b', depends_on: ['a'] }], { execution_order: [['b'], ['a']] }),
    'b: execution_order puts "b" before "a", which it depends on.',
  ],
  [
    'an order that puts a node beside its dependency',
    planOf([{ id: 'a' }, { id: 'b', depends_on: ['a'] }], { execution_order: [['a', 'b']] }),
    'b: execution_order puts "b" before "a"',
  ],
  [
    'an order that leaves a node out',
    planOf([{ id: 'a' }, { id: 'b' }], { execution_order: [['a']] }),
    'b: execution_order does not name "b".',
  ],
  [
    'an order that names a node twice',
    planOf([{ id: 'a' }], { execution_order: [['a'], ['a']] }),
    'a: execution_order names "a" twice.',
  ],
  ['a plan without nodes', planOf([]), ': The plan has no nodes.'],
  [
    'a plan with too many nodes',
    planOf(Array.from({ length: 61 }, (_, at) => ({ id: `n${at}` }))),
    ': The plan has 61 nodes; at most 60 are allowed.',
  ],
  [
    'an agent that only reads and is asked to write',
    planOf([{ id: 'a', agent: 'librarian', operations: ['read', 'write'] }]),
    "a: The librarian only reads, and can't write files.",
  ],
])('%s is refused', (_, plan, expected) => {
  const { problems, layers } = checkPlan(plan);
  expect(problems.map(({ node, message }) => `${node}: ${message}`).join('\n')).toContain(expected);
  expect(layers).toEqual([]);
});

test('any plan without a way back has layers in which each node comes after what it depends on', () => {
  const plans = fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(plans, (links) => {
      const nodes = links.map((numbers, at) => ({
        id: `n${at}`,
        depends_on: at === 0 ? [] : [...new Set(numbers.map((number) => `n${number % at}`))],
      }));
      const { problems, layers } = checkPlan(planOf(nodes));
      const layerOf = (id: string) => layers.findIndex((layer) => layer.includes(id));
      expect(problems).toEqual([]);
      for (const { id, depends_on } of nodes)
        for (const dependency of depends_on) expect(layerOf(dependency)).toBeLessThan(layerOf(id));
    }),
    { seed: 20261117, numRuns: 200 },
  );
});

const markdown = `# Add a rate limiter

| id | agent | prompt | depends on | touches | criteria |
|----|-------|--------|------------|---------|----------|
| t1 | librarian | Find the middleware | | | |
| t2 | engineer | Write the limiter \\| config | t1 | \`src/limit.ts\`, src/app.ts | Follows the pattern; Has tests |
`;

test('YAML, JSON and a Markdown table give the same plan', () => {
  const yaml = `
prompt: Add a rate limiter
nodes:
  - {id: t1, agent: librarian, prompt: Find the middleware}
  - id: t2
    agent: engineer
    prompt: Write the limiter | config
    depends_on: [t1]
    touches: [src/limit.ts, src/app.ts]
    compliance_criteria: [Follows the pattern, Has tests]
`;
  const plan = readPlan(yaml);
  expect(readPlan(markdown)).toEqual(plan);
  expect(readPlan(JSON.stringify(plan))).toEqual(plan);
  expect(readPlan(writePlanMarkdown(plan))).toEqual(plan);
});

test.each([
  [
    'an unknown field',
    'prompt: x\nnodes: [{id: a, agent: engineer, prompt: y, dependson: [b]}]',
    'a (line 2): "dependson" is no field. Did you mean "depends_on"?',
  ],
  ['a missing prompt', 'nodes: []', 'prompt is missing.'],
  [
    'an id with a line break',
    '{"prompt":"x","nodes":[{"id":"a\\nb","agent":"engineer","prompt":"y"}]}',
    'a\nb (line 1): id: an id has',
  ],
  ['text that is no YAML', 'a: [', "can't be read"],
  ['aliases that multiply', 'a: &a [x]\nb: [*a, *a]', "can't be read"],
])('%s is an error that names the place', (_, text, place) => {
  expect(() => readPlan(text)).toThrow(place);
});

test('a text that is no plan says what one has, and a parser tells its reason in one line', () => {
  for (const text of ['hello', '- a\n- b', '42'])
    expect(parsePlanText(text).problems).toEqual([
      { node: '', message: expect.stringContaining('A plan has the fields prompt and nodes') },
    ]);
  expect(() => parsePlanText('prompt: x\nnodes: [')).toThrow(
    /^The plan can't be read: [^\n]* at line 2, column 9\.$/,
  );
});

test.each([
  [
    'YAML',
    `prompt: x
nodes:
  - { id: a, agent: enginer, prompt: x, depends_on: [c] }
  - { id: b, prompt: x, dependson: [a] }`,
    [3, 3, 4, 4],
  ],
  [
    'a table',
    '# x\n\n| id | agent | prompt | depends on |\n| --- | --- | --- | --- |\n| a | enginer | x | c |\n| b! | engineer | x | a |\n',
    [5, 5, 6],
  ],
])('all problems of a plan come at once, each with its line: %s', (_, text, lines) => {
  const { plan, nodes, problems } = parsePlanText(text);
  expect({ plan, nodes }).toEqual({ plan: undefined, nodes: 2 });
  expect(problems.map(({ line }) => line).toSorted()).toEqual(lines);
  const said = problems.map(({ message }) => message).join('\n');
  expect(said).toContain('Unknown agent "enginer"');
  expect(said).toContain('depends_on names "c"');
});

test('touches may say how probable they are, and that everybody edits a file', () => {
  const plan = readPlan(markdown.replace('src/app.ts', 'src/app.ts (40%), package.json (10% shared), docs/'));
  expect(plan.nodes[1]?.touches).toEqual([
    { path: 'src/limit.ts', probability: 1, shared: false },
    { path: 'src/app.ts', probability: 0.4, shared: false },
    { path: 'package.json', probability: 0.1, shared: true },
    { path: 'docs/', probability: 1, shared: false },
  ]);
  expect(readPlan(writePlanMarkdown(plan))).toEqual(plan);
});

test.each<[string, object, object, string | undefined]>([
  ['the same file', { path: 'a' }, { path: 'a' }, 'a'],
  ['a file in a folder', { path: 'd/' }, { path: 'd/e' }, 'd/e'],
  ['a folder around a file', { path: 'd/e' }, { path: 'd/' }, 'd/e'],
  ['a file that begins alike', { path: 'd' }, { path: 'd/e' }, undefined],
  ['a file that is improbable', { path: 'a', probability: 0.6 }, { path: 'a', probability: 0.6 }, undefined],
  ['a file that everybody edits', { path: 'a', probability: 0.1, shared: true }, { path: 'a' }, 'a'],
])('two nodes that touch %s', (_, left, right, expected) => {
  const [one, other] = [left, right].map(
    (touch) =>
      planSchema.parse({
        prompt: 'x',
        nodes: [{ id: 'a', agent: 'engineer', prompt: 'x', touches: [touch] }],
      }).nodes[0],
  );
  expect(one && other && sharedTouch(one, other, 0.5)).toBe(expected);
});

test('nodes of one layer that change the same file are named', () => {
  const { plan } = parsePlanText(`
prompt: x
nodes:
  - {id: a, agent: engineer, prompt: a, touches: [x, y]}
  - {id: b, agent: engineer, prompt: b, touches: [y]}
  - {id: c, agent: engineer, prompt: c, touches: [y], depends_on: [b]}
`);
  expect(plan && checkPlan(plan).waits).toEqual([{ nodes: ['a', 'b'], path: 'y' }]);
});
