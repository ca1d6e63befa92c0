import { expect, test } from 'vitest';
import { foldSteps } from './conversation.ts';
import { createToolbox } from './toolbox.ts';
import { commandTool } from './tools/command.ts';
import { endTools } from './tools/ends.ts';
import { fileTools } from './tools/files.ts';
import { findTools } from './tools/find-tools.ts';
import type { Brief, WorkTool } from './worker.ts';

const tool = (name: string, tier: WorkTool['tier'], more: Partial<WorkTool> = {}): WorkTool => ({
  name,
  tier,
  description: `about ${name}`,
  inputSchema: {},
  effect: 'read',
  run: async () => ({ text: '' }),
  ...more,
});
const brief: Brief = {
  run: 'r',
  session: 's',
  node: 'n',
  leg: 1,
  role: 'engineer',
  task: '',
  constraints: [],
  criteria: [],
  upstream: [],
  context: '',
  checks: [],
  feedback: [],
};
const core = [
  ...fileTools,
  commandTool(async () => {
    throw new Error('not run');
  }),
  ...endTools,
];
const context = [
  tool('consult_archivalist', 'contextual', { words: ['before', 'did we'] }),
  tool('check_mistakes', 'contextual', { phases: ['feedback'] }),
  tool('export_graph', 'specialised'),
];
const told = (...texts: string[]) =>
  foldSteps(texts.map((text, at) => ({ kind: 'told', from: 'person', text, number: at + 1, at: 0 })));
const names = (tools: WorkTool[]) => tools.map(({ name }) => name);

test('the core is always shown, within its tokens', async () => {
  const own = [...core, findTools(context)];
  const box = await createToolbox(own);
  expect(names(box.select(told('go'), brief))).toEqual([
    'read_file',
    'write_file',
    'edit_file',
    'run_command',
    'request_help',
    'signal_complete',
    'find_tools',
  ]);
  expect(box.tokens(own)).toBeLessThanOrEqual(600);
});

test('a word loads a contextual tool, a word inside another one does not, and it goes when the talk moves on', async () => {
  const box = await createToolbox([...core, ...context]);
  const isShown = (...texts: string[]) =>
    names(box.select(told(...texts), brief)).includes('consult_archivalist');
  expect(isShown('Did we try that?')).toBe(true);
  expect(isShown('Done beforehand')).toBe(false);
  expect(isShown('What was tried before?', 'a', 'b', 'c')).toBe(false);
});

test('a part of the work and a request by name load tools; what is specialised comes by request only', async () => {
  const box = await createToolbox([...core, ...context]);
  const feedback = [{ from: 'inspector' as const, leg: 1, text: 'x' }];
  expect(names(box.select(told('go'), { ...brief, feedback }))).toContain('check_mistakes');
  expect(names(box.select(told('Use check_mistakes first'), brief))).toContain('check_mistakes');
  expect(names(box.select(told('Use export_graph first'), brief))).not.toContain('export_graph');
  const found = foldSteps([
    {
      kind: 'said',
      text: '',
      calls: [{ id: '1', name: 'find_tools', input: {} }],
      finish: 'tool_calls',
      number: 1,
      at: 0,
      usage: { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1, measured: true },
    },
    {
      kind: 'result',
      call: '1',
      name: 'find_tools',
      text: 'export_graph: about it',
      isError: false,
      number: 2,
      at: 0,
    },
  ]);
  expect(names(box.select(found, brief))).toContain('export_graph');
});

test('contextual tools never take more than their share of tokens', async () => {
  const many = Array.from({ length: 40 }, (_, at) =>
    tool(`tool_${at}`, 'contextual', { words: ['go'], description: 'word '.repeat(40) }),
  );
  const box = await createToolbox([...core, ...many]);
  const shown = box.select(told('go'), brief);
  expect(box.tokens(shown.filter(({ tier }) => tier !== 'core'))).toBeLessThanOrEqual(800);
  expect(shown.length).toBeGreaterThan(core.length);
});

test('what another agent asks for is shown while it asks, whatever its tier, and goes with the request', async () => {
  const box = await createToolbox([...core, ...context]);
  const asked = box.select(told('go'), { ...brief, tools: ['export_graph', 'no_such_tool'] });
  expect(names(asked)).toContain('export_graph');
  expect(names(asked)).not.toContain('no_such_tool');
  expect(names(box.select(told('go'), { ...brief, leg: 2 }))).not.toContain('export_graph');
});
