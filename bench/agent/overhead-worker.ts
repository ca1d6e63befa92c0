import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { openModel } from '../../src/base/model/index.ts';
import type { WorkTool } from '../../src/engines/agents/index.ts';
import { metered, openLedger } from '../../src/stores/ledger/index.ts';
import { runTestLeg } from '../../tests/support/agent-leg.ts';
import { testRepository } from '../../tests/support/repository.ts';

/* One loop, ours or the SDK's, against a scripted server; prints what it took. `overhead-worker.ts URL STEPS ours|sdk|idle [MORE]`. */
const [url = '', stepsText = '', kind = '', more = ''] = process.argv.slice(2);
const steps = Number(stepsText);
const directory = mkdtempSync(join(tmpdir(), 'sylk-overhead-'));

const note: WorkTool = {
  name: 'note',
  description: 'Notes something.',
  tier: 'core',
  effect: 'read',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  run: async ({ text }) => ({ text: `noted ${text}` }),
};

async function ourLeg(place: string, task: string, signal?: AbortSignal): Promise<void> {
  const repository = testRepository([], join(place, 'repository'));
  const base = repository.commit('first', { 'a.txt': 'one\n' });
  const library = openLibrary({ url: join(place, 'ledger.db') });
  const model = openModel('anthropic/claude-sonnet-4-5', {
    environment: { ANTHROPIC_API_KEY: 'k' },
    endpoints: { anthropic: url },
    aroundAttempt: metered(openLedger({ library, clock: systemClock }), { run: 'r' }),
  });
  await runTestLeg({
    repository: repository.path,
    home: join(place, 'home'),
    base,
    model,
    task,
    tools: [note],
    mostCalls: 1e6,
    signal,
  });
  await library.close();
}

async function sdkLoop(): Promise<void> {
  const load = createRequire(join(more, 'package.json'));
  const importOf = (name: string) => import(pathToFileURL(load.resolve(name)).href);
  const [{ ToolLoopAgent, isStepCount, jsonSchema, tool }, { createAnthropic }] = await Promise.all([
    importOf('ai'),
    importOf('@ai-sdk/anthropic'),
  ]);
  const named = (name: string) =>
    tool({
      description: name,
      inputSchema: jsonSchema({ type: 'object', properties: {} }),
      execute: async () => `noted by ${name}`,
    });
  const agent = new ToolLoopAgent({
    model: createAnthropic({ baseURL: url, apiKey: 'k' })('claude-sonnet-4-5'),
    instructions: 'You are an engineer.',
    tools: { note: named('note'), signal_complete: named('signal_complete') },
    stopWhen: [isStepCount(steps + 1)],
  });
  const result = await agent.stream({ prompt: 'Do the task' });
  await result.consumeStream();
}

const work: Record<string, () => Promise<unknown>> = {
  ours: () => ourLeg(directory, 'Do the task'),
  sdk: sdkLoop,
  idle: async () => {
    const stop = new AbortController();
    const legs = Array.from({ length: Number(more) }, (_, at) =>
      ourLeg(join(directory, String(at)), 'WAIT FOR EVER', stop.signal).catch(() => undefined),
    );
    await wait(2_000 + 250 * legs.length);
  },
};
const before = process.cpuUsage();
await work[kind]?.();
const { user, system } = process.cpuUsage(before);
globalThis.gc?.();
const { rss } = process.memoryUsage();
console.log(
  JSON.stringify({
    steps,
    processorMs: (user + system) / 1000,
    rssMb: rss / 1e6,
    peakMb: process.resourceUsage().maxRSS / 1000,
  }),
);
rmSync(directory, { recursive: true, force: true });
process.exit(0);
