import { visibleWidth } from '@earendil-works/pi-tui';
import { describe, expect, test } from 'vitest';
import { createNeedsPage } from './needs-page.ts';
import { createPageComponent } from './page.ts';
import { runsLines } from './run-lines.ts';
import { groupNeeds, type Need, type NodeView, type RunView, treeOf } from './runs-view.ts';
import { themeOf } from './theme.ts';

const theme = themeOf({ NO_COLOR: '1' });
const nodeOf = (id: string, more: Partial<NodeView> = {}): NodeView => ({
  number: 1,
  id,
  agent: 'engineer',
  prompt: `Do ${id}`,
  depends_on: [],
  stage: 'pending',
  legs: 1,
  loops: { inspector: 0, tester: 0, merge: 0 },
  files: [],
  output: '',
  cost: 0,
  tokens: { input: 0, cached: 0, output: 0 },
  ...more,
});
const runOf = (nodes: NodeView[]): RunView => ({
  run: 'run_1',
  prompt: 'Add a limit',
  status: 'running',
  standing: 'running',
  nodes,
  cost: 0.5,
  unpriced: 0,
  tokens: { input: 12_000, cached: 0, output: 500 },
  budget: 2,
  gates: [],
});
const needOf = (id: string, question: string, options: string[] = []): Need => ({
  run: 'run_1',
  id,
  question,
  options,
  prompt: 'Add a limit',
});

describe('the plan as a tree', () => {
  test('a node stands below everything it depends on, also where a plan is wrong and goes round', () => {
    const nodes = [
      nodeOf('c', { number: 1, depends_on: ['b'] }),
      nodeOf('b', { number: 2, depends_on: ['a'] }),
      nodeOf('a', { number: 3 }),
      nodeOf('x', { number: 4, depends_on: ['y'] }),
      nodeOf('y', { number: 5, depends_on: ['x'] }),
    ];
    const order = treeOf(nodes).map(({ node, depth }) => `${node.id}${depth}`);
    expect(order.slice(0, 3)).toEqual(expect.arrayContaining(['a0']));
    expect(order.indexOf('a0')).toBeLessThan(order.indexOf('b1'));
    expect(order.indexOf('b1')).toBeLessThan(order.indexOf('c2'));
    expect(order).toHaveLength(5);
  });

  test('an agent has one line: its state in words, what it does, how often it was sent back, tokens and cost', () => {
    const node = nodeOf('limiter', {
      stage: 'working',
      legs: 3,
      loops: { inspector: 1, tester: 1, merge: 0 },
      tokens: { input: 40_000, cached: 0, output: 2000 },
      cost: 0.125,
    });
    const doing = { 'run_1/limiter': 'edit_file src/日本語.ts' };
    expect(runsLines({ runs: [runOf([node])], waiting: [], doing }, 100, 10, theme).map(unstyled)).toEqual([
      'Add a limit · running · 0/1 · $0.500 of $2.00 · 13k tok',
      expect.stringMatching(
        /^● limiter at work · edit_file src\/日本語\.ts +sent back 2 × · 42k tok · \$0\.125$/,
      ),
    ]);
  });

  test('with too little room, what is at work is shown and the rest is counted; no line is too wide', () => {
    const nodes = Array.from({ length: 60 }, (_, at) =>
      nodeOf(`node-${at}`, { number: at, stage: at % 20 === 7 ? 'working' : 'done' }),
    );
    for (const width of [30, 80, 300]) {
      const lines = runsLines({ runs: [runOf(nodes)], waiting: [], doing: {} }, width, 8, theme);
      expect(lines).toHaveLength(8);
      expect(lines.filter((line) => line.includes('at work'))).toHaveLength(3);
      expect(lines.at(-1)).toContain('and 54 more');
      for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
    }
  });
});

describe('what waits for the person', () => {
  const wants = (task: string, until: string) =>
    `The engineer wants to run a command? no rule allows it (task: ${task}). Approve / Deny: npm test (a no without an answer; asked until ${until})`;

  test('the same command is asked once, whoever asks for it', () => {
    const groups = groupNeeds([
      needOf('apr_1', wants('a', '1')),
      needOf('cmd_1', 'Which one?', ['left', 'right']),
      needOf('apr_2', wants('b', '2')),
      needOf('cmd_2', 'Which one?', ['left', 'right']),
    ]);
    expect(groups.map(({ needs, options }) => [needs.map(({ id }) => id), options])).toEqual([
      [
        ['apr_1', 'apr_2'],
        ['allow once', 'deny'],
      ],
      [['cmd_1'], ['left', 'right', 'answer in words']],
      [['cmd_2'], ['left', 'right', 'answer in words']],
    ]);
  });

  test('nothing moves while it is shown: what came later is counted and shown by a key, what was answered elsewhere is marked', () => {
    let waiting = [needOf('cmd_1', 'First?', ['yes']), needOf('cmd_2', 'Second?', ['yes'])];
    const chosen: string[] = [];
    const page = createNeedsPage({
      waiting: () => waiting,
      theme: () => theme,
      choose: ({ id }, option) => chosen.push(`${id} ${option}`),
    });
    waiting = [needOf('cmd_0', 'New?', ['no']), needOf('cmd_2', 'Second?', ['yes'])];
    const shown = page.lines(80).map(unstyled).join('\n');
    expect(shown.indexOf('First?')).toBeLessThan(shown.indexOf('Second?'));
    expect(shown).toContain('answered elsewhere');
    expect(shown).not.toContain('New?');
    expect(page.title()).toMatch(/1 · 1 more since/);
    page.onKey('1');
    page.onKey('1');
    expect(chosen).toEqual(['cmd_2 yes']);
    page.onKey('n');
    expect(page.lines(80).map(unstyled).join('\n')).toContain('New?');
    page.onKey('1');
    expect(chosen).toEqual(['cmd_2 yes', 'cmd_0 no']);
  });

  test('a page has the height of the screen, keeps the chosen line in sight, and is closed by Esc', () => {
    const waiting = Array.from({ length: 30 }, (_, at) => needOf(`cmd_${at}`, `Question ${at}?`, ['yes']));
    const page = createNeedsPage({ waiting: () => waiting, theme: () => theme, choose: () => {} });
    let closed = 0;
    const component = createPageComponent(page, {
      theme: () => theme,
      rows: () => 24,
      close: () => {
        closed += 1;
      },
    });
    for (let press = 0; press < 25; press++) component.handleInput?.('\x1b[B');
    const lines = component.render(80);
    expect(lines).toHaveLength(22);
    expect(lines.join('\n')).toContain('Question 25?');
    component.handleInput?.('\x1b');
    expect(closed).toBe(1);
  });
});

const unstyled = (line: string): string => line.replace(/\x1b\[[\d;]*m/g, '');
