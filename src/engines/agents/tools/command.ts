import { z } from 'zod';
import type { RunResult } from '../../../base/process/index.ts';
import type { WorkTool } from '../worker.ts';
import { defineTool } from './tool.ts';

const mostShown = 30_000;

/** Runs a command line confined to the work place. What confines it is decided by whoever passes `run`. */
export type RunLine = (
  line: string,
  options: {
    directory: string;
    environment?: Record<string, string> | undefined;
    seconds: number;
    signal: AbortSignal;
  },
) => Promise<RunResult>;

export const commandTool = (run: RunLine): WorkTool =>
  defineTool({
    name: 'run_command',
    description:
      'Runs a shell command in the root of the repository, without network, and answers what it printed.',
    tier: 'core',
    effect: 'command',
    input: z.object({
      command: z.string().min(1).max(20_000),
      timeout: z.coerce.number().int().min(1).max(600).default(120).describe('seconds'),
    }),
    run: async ({ command, timeout }, { place, signal }) => {
      const { directory, environment } = place;
      const result = await run(command, { directory, environment, seconds: timeout, signal });
      return { text: describeRun(result, timeout), isError: result.code !== 0, untrusted: true };
    },
  });

function describeRun(
  { code, signal, stdout, stderr, timedOut, truncated, overMemory }: RunResult,
  seconds: number,
) {
  const ending = timedOut
    ? `Ended after ${seconds} s, its limit of time.`
    : overMemory
      ? 'Ended: it took more memory than it may.'
      : signal
        ? `Ended by ${signal}.`
        : `Exit code ${code}.`;
  return [
    ending,
    truncated ? 'It printed more than it may, and was cut.' : '',
    shorten(stdout.toString('utf8')),
    stderr.trim() === '' ? '' : `stderr:\n${shorten(stderr)}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The beginning and, because failures are told last, twice as much of the end. */
function shorten(text: string): string {
  if (text.length <= mostShown) return text.trimEnd();
  const third = mostShown / 3;
  const cut = text.length - mostShown;
  return `${text.slice(0, third)}\n(${cut} characters left out)\n${text.slice(-2 * third)}`.trimEnd();
}
