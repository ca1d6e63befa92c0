import { openApp } from '../../app.ts';
import { runOperation } from '../../operations/run.ts';
import type { CommandRun } from './command.ts';

const patience = 4000;
const maxBytes = 1_000_000;

/**
 * What a coding client runs. It must never stand in the client's way: whatever goes wrong, it ends in time, says
 * nothing and succeeds.
 */
export const run: CommandRun = async ([client, event], flags, io) => {
  const late = setTimeout(() => process.exit(0), patience);
  try {
    const payload = readObject(await readStandardInput());
    const there = typeof payload['cwd'] === 'string' ? payload['cwd'] : io.cwd;
    const app = openApp({ directory: flags.repo[0] ?? there, env: io.env, flags: flags.set });
    try {
      const outcome = await runOperation(app, {
        name: 'run_client_hook',
        input: { client, event, payload },
        caller: { kind: 'person', name: io.env.USER ?? 'person' },
      });
      const { reply } = (outcome.ok ? outcome.output : { reply: '' }) as { reply: string };
      if (reply !== '') io.out(`${reply}\n`);
    } finally {
      await app.close();
    }
  } catch {
    // Said to nobody: the client's work matters more than ours.
  } finally {
    clearTimeout(late);
  }
  return 0;
};

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What the client wrote, as far as it came within a second. */
function readStandardInput(): Promise<string> {
  const input = process.stdin;
  if (input.isTTY) return Promise.resolve('');
  return new Promise((resolve) => {
    let text = '';
    const end = () => {
      clearTimeout(limit);
      input.destroy();
      resolve(text);
    };
    const limit = setTimeout(end, 1000);
    input.setEncoding('utf8');
    input.on('data', (chunk) => {
      text += chunk;
      if (text.length > maxBytes) end();
    });
    input.on('end', end);
    input.on('error', end);
  });
}
