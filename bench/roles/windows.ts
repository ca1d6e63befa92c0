import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Model, ModelMessage, ModelRequest } from '../../src/base/model/index.ts';
import type { WorkTool } from '../../src/engines/agents/index.ts';
import { openRoles } from '../../src/stores/roles/index.ts';
import { type Answer, calls, completes, replyOf, runTestLeg } from '../../tests/support/agent-leg.ts';
import { testRepository } from '../../tests/support/repository.ts';
import { randomNumbers, shuffled } from '../random.ts';
import type { BenchOptions } from '../run-named.ts';

const window = 16_000;
const windows = 10;
const factsPerLook = 2;
const looks = 165;

interface Fact {
  words: string;
  sentence: string;
  value: string;
}

const places = 'parser cache queue session router ledger worker index archive socket'.split(' ');
const things = 'primary shadow nightly remote local legacy pending frozen public inner'.split(' ');
const settings = 'timeout owner limit port prefix colour branch version weight region'.split(' ');
const filler = [
  ...places,
  ...things,
  ...settings,
  ...'the of a was seen with and not yet read from'.split(' '),
];

/** Every name differs from its neighbours in one word only, so that a search by likeness can go wrong. */
function plant(random: () => number): Fact[] {
  const pick = (list: string[]) => list[Math.floor(random() * list.length)] ?? '';
  const all = things.flatMap((thing) =>
    places.flatMap((place) => settings.map((setting) => `${thing} ${place} ${setting}`)),
  );
  return shuffled(all, random)
    .slice(0, looks * factsPerLook)
    .map((words) => {
      const value = `${pick(things)}-${Math.floor(random() * 1e6)}`;
      return { words, value, sentence: `The ${words} is ${value}.` };
    });
}

const textOf = (messages: ModelMessage[]): string => JSON.stringify(messages);

/** Keeps the first line of everything it is shown: it does not know which facts will be asked for. */
const summarise = ({ messages }: ModelRequest): string =>
  messages
    .flatMap((message) =>
      message.role === 'tool' ? message.results.map(({ text }) => text) : [message.text],
    )
    .map((text) => text.split('\n').find((line) => line.trim().startsWith('The ')) ?? '')
    .filter(Boolean)
    .join('\n')
    .slice(0, 2_000);

/**
 * `npm run lab -- roles windows`: an agent reads ten windows of text with facts in it; half of them are needed later, at a moment
 * that neither the policy nor the summariser knows. A fact counts where it stands in what the model is sent, or in the answer to one fixed call.
 */
export async function memoryOverWindows({ seed = '1' }: BenchOptions): Promise<boolean> {
  const random = randomNumbers(Number(seed));
  const facts = plant(random);
  const neededAt = new Map<number, Fact[]>();
  for (const [at, fact] of facts.entries()) {
    if (at % 2 === 1) continue;
    const seen = Math.floor(at / factsPerLook);
    const moment = seen + 1 + Math.floor(random() * (looks - seen - 1));
    neededAt.set(moment, [...(neededAt.get(moment) ?? []), fact]);
  }
  const page = (number: number): string => {
    const noise = () =>
      Array.from({ length: 130 }, () => filler[Math.floor(random() * filler.length)]).join(' ');
    const own = facts
      .slice(number * factsPerLook, (number + 1) * factsPerLook)
      .map(({ sentence }) => sentence);
    return [noise(), ...own.flatMap((sentence) => [sentence, noise()]), noise(), noise()].join('\n');
  };
  const pages = Array.from({ length: looks }, (_, number) => page(number));
  const look: WorkTool = {
    name: 'look',
    description: 'Reads the next page.',
    inputSchema: { type: 'object', properties: { number: { type: 'number' } } },
    tier: 'core',
    effect: 'read',
    run: async ({ number }) => ({ text: pages[Number(number)] ?? '', untrusted: true }),
  };
  const counts = { needed: 0, truncated: 0, summarised: 0, ours: 0, calls: 0 };
  let [next, shown, largest] = [0, '', 0];
  let asked: Fact | undefined;
  const waiting: Fact[] = [];
  const answer = ({ messages }: ModelRequest): Answer => {
    const text = textOf(messages);
    if (asked) {
      if (text.includes(asked.value)) counts.ours++;
      asked = undefined;
    }
    for (let fact = waiting.shift(); fact; fact = waiting.shift()) {
      counts.needed++;
      // What a model would still be sent if only the newest text were kept, at the same most tokens.
      if (shown.slice(-window * 0.75 * 4).includes(fact.value)) counts.truncated++;
      if (text.includes(fact.value)) {
        counts.summarised++;
        counts.ours++;
        continue;
      }
      counts.calls++;
      asked = fact;
      return calls('recall_steps', { query: fact.words });
    }
    if (next >= looks)
      return next++ === looks ? calls('write_file', { path: 'done.txt', content: 'x' }) : completes;
    waiting.push(...(neededAt.get(next + 1) ?? []));
    shown += pages[next] ?? '';
    return calls('look', { number: next++ });
  };
  const model: Model = {
    id: 'test/model',
    window,
    maxOutput: 1_000,
    price: undefined,
    stream: async (request) => {
      const tokens = Math.ceil((textOf(request.messages).length + request.instructions.length) / 4);
      largest = Math.max(largest, tokens);
      if (request.tools === undefined) return replyOf({ text: summarise(request), tokens }, 0);
      return { ...replyOf({ ...answer(request), tokens }, next * 100 + counts.calls) };
    },
  };
  const directory = mkdtempSync(join(tmpdir(), 'sylk-windows-'));
  const repository = testRepository([], join(directory, 'repository'));
  const base = repository.commit('first', { 'a.txt': 'a\n' });
  const role = openRoles({ personDirectory: tmpdir(), root: tmpdir(), trusted: () => new Map() }).find(
    'tester',
  );
  if (!role) throw new Error('There is no tester.');
  const { outcome, steps } = await runTestLeg({
    repository: repository.path,
    home: directory,
    base,
    model,
    role: { ...role, tools: { ...role.tools, specialised: 'all' } },
    tools: [look],
    mostCalls: 10_000,
    allowAll: true,
  });
  rmSync(directory, { recursive: true, force: true });
  const share = (count: number) =>
    `${count} of ${counts.needed} (${((100 * count) / counts.needed).toFixed(1)} %)`;
  const read = pages.reduce((sum, text) => sum + text.length / 4, 0);
  console.log(
    `${outcome.result}; ${(read / window).toFixed(1)} windows of ${window} tokens read, at most ${largest} tokens sent at once,`,
  );
  console.log(
    `shortened ${steps.filter(({ kind }) => kind === 'compacted').length} times; ${facts.length} facts planted, ${counts.needed} needed later`,
  );
  console.log(`  newest text only:       ${share(counts.truncated)}`);
  console.log(`  summary alone:          ${share(counts.summarised)}`);
  console.log(`  summary, recall_steps:  ${share(counts.ours)}, ${counts.calls} calls`);
  return outcome.result === 'done' && counts.ours >= 0.95 * counts.needed && read / window >= windows;
}
