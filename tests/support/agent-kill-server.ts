import { join } from 'node:path';
import { costOf, openModel } from '../../src/base/model/index.ts';
import { loadTokenCounter } from '../../src/base/tokens.ts';
import { type ServedRequest, startModelServer } from './model-server/index.ts';

/** One sign for each answer that came whole to a process of a leg. */
export const arrivals = (home: string): string => join(home, 'arrivals');

export const killModel = 'anthropic/claude-sonnet-4-5';

interface Goal {
  name: string;
  input: Record<string, unknown>;
}

/** What the agent does, call by call: it reads, edits, writes and runs a program now and then. */
function goalsOf(steps: number): Goal[][] {
  const values = new Map<string, number>();
  const edit = (path: string): Goal => {
    const value = values.get(path) ?? 0;
    values.set(path, value + 1);
    const text = (number: number) => `value ${number};`;
    return { name: 'edit_file', input: { path, old_content: text(value), new_content: text(value + 1) } };
  };
  const read = (path: string): Goal => ({ name: 'read_file', input: { path } });
  return Array.from({ length: steps }, (_, at): Goal[] => {
    const path = `src/${at % killFiles}.txt`;
    if (at % 24 === 6)
      return [{ name: 'run_command', input: { command: `sort src/*.txt > sorted-${at}.txt` } }];
    if (at % 4 === 0) return [read(path)];
    if (at % 4 === 1) return [{ name: 'write_file', input: { path: `new/${at}.txt`, content: `${at}\n` } }];
    if (at % 4 === 2) return [read(path), edit(path), edit(`src/${(at + 1) % killFiles}.txt`)];
    return [edit(path)];
  });
}

export const killFiles = 12;

export interface Charge {
  requests: number;
  tokens: number;
  usd: number;
}

interface Block {
  type: string;
  id?: string;
  tool_use_id?: string;
  is_error?: boolean;
}
interface Message {
  role: string;
  content: Block[] | string;
}

/** A provider on loopback that asks for one step after another, by what it is told alone, and counts what it would charge for. */
export async function startKillServer(steps: number) {
  const goals = goalsOf(steps);
  const count = await loadTokenCounter();
  const sizes = new Map<string, number>();
  const sizeOf = (part: unknown): number => {
    const text = JSON.stringify(part) ?? '';
    const size = sizes.get(text) ?? count(text);
    sizes.set(text, size);
    return size;
  };
  const { price } = openModel(killModel, { environment: { ANTHROPIC_API_KEY: 'k' } });
  const charges = new Map<string, Charge>();

  const answer = ({ path, body }: ServedRequest) => {
    const leg = path.split('/')[2] ?? '';
    const served = charges.get(leg) ?? { requests: 0, tokens: 0, usd: 0 };
    charges.set(leg, served);
    const messages = body['messages'] as Message[];
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    const failed = new Set(blocks.filter(({ is_error }) => is_error).map(({ tool_use_id }) => tool_use_id));
    const made = blocks.filter(({ type }) => type === 'tool_use').map(({ id = '' }) => id);
    // A call is known by the step and the place that it was made for, and by how often.
    const missing = (step: number) =>
      (goals[step] ?? []).flatMap((goal, place) => {
        const earlier = made.filter((id) => id.startsWith(`g${step}_${place}_`));
        const isMet = earlier.some((id) => !failed.has(id));
        return isMet ? [] : [{ id: `g${step}_${place}_${earlier.length}`, ...goal }];
      });
    const due = goals.findIndex((_, step) => missing(step).length > 0);
    const calls =
      due >= 0
        ? missing(due)
        : [{ id: `end_${made.length}`, name: 'signal_complete', input: { result: 'all of it' } }];
    const text = due >= 0 ? ['Step ', `${due}`, ', as ', 'planned.'] : ['Done.'];
    const input =
      sizeOf(body['system']) + sizeOf(body['tools']) + messages.reduce((sum, each) => sum + sizeOf(each), 0);
    const output = sizeOf(calls) + sizeOf(text);
    served.requests += 1;
    served.tokens += input + output;
    served.usd +=
      costOf(price, {
        inputTokens: input,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: output,
        measured: true,
      }) ?? 0;
    return { text, calls, usage: { input, cached: 0, output } };
  };
  const server = await startModelServer('anthropic', answer);
  return {
    stop: server.stop,
    /** Where one leg asks: what it is charged is counted apart. */
    urlOf: (leg: string) => `${server.url}/${leg}`,
    chargeOf: (leg: string): Charge => charges.get(leg) ?? { requests: 0, tokens: 0, usd: 0 },
    forget: () => {
      charges.clear();
      sizes.clear();
      server.requests.length = 0;
    },
  };
}
