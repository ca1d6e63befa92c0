// A terminal of Sylk whose operations are played: words of one agent, or the steps of twelve. `node streaming-program.ts HOME one|twelve RATE`
import { setTimeout as wait } from 'node:timers/promises';
import type { CallAnswer, Calls } from '../../src/surfaces/tui/calls.ts';
import { openKept } from '../../src/surfaces/tui/kept.ts';
import { openOnScreen } from '../../src/surfaces/tui/on-screen.ts';
import { wordsOfStream } from './words.ts';

const [home = '', scene = 'one', rate = '50'] = process.argv.slice(2);
const agents = 12;
const spent = Array.from({ length: agents }, () => 0);

const nodes = () =>
  spent.map((tokens, at) => ({
    number: at + 1,
    id: `agent-${at + 1}`,
    agent: 'engineer',
    prompt: '',
    depends_on: at < 4 ? [] : [`agent-${(at % 4) + 1}`],
    stage: 'working',
    legs: 1,
    loops: { inspector: at % 3, tester: 0, merge: 0 },
    files: [],
    output: '',
    cost: tokens / 100_000,
    tokens: { input: tokens, output: 0 },
  }));
const run = () => ({
  run: 'run_played',
  prompt: 'Twelve agents at work',
  status: 'running',
  standing: 'running',
  nodes: nodes(),
  cost: 1,
  unpriced: 0,
  tokens: { input: spent.reduce((sum, each) => sum + each, 0), output: 0 },
  gates: [],
});
const answers: Record<string, () => unknown> = {
  list_runs: () => ({ runs: scene === 'twelve' && spent.some(Boolean) ? [{ id: 'run_played' }] : [] }),
  list_waiting: () => ({ waiting: [] }),
  get_run: run,
  get_transcript: () => ({ steps: [] }),
  list_agents: () => ({ agents: [] }),
  list_models: () => ({ providers: [], roles: [] }),
};
const done = (operation: string, output: unknown, text = ''): CallAnswer => ({
  kind: 'done',
  operation,
  text,
  output,
  isFailure: false,
  notes: [],
});

const calls: Calls = {
  call: async ({ operation = '' }, { signal, onEvent = () => {} } = {}) => {
    if (operation !== 'route') return done(operation, answers[operation]?.() ?? {});
    const words = wordsOfStream();
    for (let turn = 0; !signal?.aborted && turn < 100_000; turn++) {
      if (scene === 'one') onEvent({ type: 'text', from: 'agent', text: words.next() });
      else
        for (let at = 0; at < agents; at++) {
          spent[at] = (spent[at] ?? 0) + 17;
          const node = `agent-${at + 1}`;
          const text = `${node}  says: ${Array.from({ length: 8 }, () => words.next()).join('')}`;
          onEvent({
            type: 'run',
            run: 'run_played',
            node,
            at: '',
            what: 'said',
            text: text.replaceAll('\n', ' '),
          });
        }
      await wait(1000 / Number(rate));
    }
    return done('route', {}, 'Stopped.');
  },
  close: async () => {},
};
const opened = {
  calls,
  root: '/played/repository',
  kept: openKept(home, '/played'),
  told: [],
  onTold: () => {},
};
await openOnScreen(
  {
    directory: home,
    env: process.env,
    flags: [],
    isPlain: false,
    isPrompting: true,
    out: () => {},
    verbs: [],
    verbOf: () => undefined,
  },
  opened,
);
process.exit(0);
