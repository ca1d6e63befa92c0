import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startModelServer } from '../../tests/support/model-server/index.ts';
import type { BenchOptions } from '../run-named.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, 'overhead-worker.ts');

interface Measured {
  steps: number;
  processorMs: number;
  rssMb: number;
  peakMb: number;
}

/**
 * Processor time of one step (an answer with a call, and its result) in our loop, with transcript, policy, ledger and worktree on disk, and
 * in the SDK's own loop, which keeps all in memory. Memory of a process whose agents wait for a model, and of one that works.
 * `--from` is a folder where `ai` and `@ai-sdk/anthropic` are installed; without it only ours is measured.
 */
export async function overhead({ from, cases = '200' }: BenchOptions): Promise<boolean> {
  const steps = Number(cases);
  const server = await startModelServer('anthropic', ({ body }) => {
    const messages = body['messages'] as Array<{ role: string }>;
    const made = messages.filter(({ role }) => role === 'assistant').length;
    if (String(body['system'] ? JSON.stringify(body) : '').includes('WAIT FOR EVER'))
      return { text: ['x'], breaks: 'silence' };
    if (made >= steps)
      return { calls: [{ id: `c${made}`, name: 'signal_complete', input: { result: 'done' } }] };
    return {
      text: ['Step ', String(made)],
      calls: [{ id: `c${made}`, name: 'note', input: { text: `${made}` } }],
    };
  });
  const measure = async (...words: string[]): Promise<Measured> => {
    const { stdout } = await run(process.execPath, [
      '--expose-gc',
      '--disable-warning=ExperimentalWarning',
      program,
      server.url,
      String(steps),
      ...words,
    ]);
    return JSON.parse(stdout);
  };
  try {
    const rounds: Array<Record<string, Measured>> = [];
    for (let round = 0; round < 3; round++)
      rounds.push({
        ours: await measure('ours'),
        ...(from[0] && { sdk: await measure('sdk', from[0]) }),
      });
    for (const name of Object.keys(rounds[0] ?? {})) {
      const each = rounds.map((round) => ((round[name]?.processorMs ?? 0) / steps).toFixed(2));
      const peak = rounds.map((round) => (round[name]?.peakMb ?? 0).toFixed(0));
      console.log(
        `${name}: processor ms a step ${each.join(', ')}; peak MB of the process ${peak.join(', ')} (${steps} steps)`,
      );
    }
    const idle = [await measure('idle', '1'), await measure('idle', '101')].map(({ rssMb }) => rssMb);
    const [one = 0, many = 0] = idle;
    console.log(
      `waiting for a model: ${one.toFixed(0)} MB with one agent, ${many.toFixed(0)} MB with 101, ${((many - one) / 100).toFixed(2)} MB each`,
    );
    return true;
  } finally {
    await server.stop();
  }
}
