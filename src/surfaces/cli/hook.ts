import { objectOf } from '../../base/json.ts';
import { leaveBehind } from '../../base/process/index.ts';
import type { CommandRun } from './command.ts';

const patience = 4000;
/** Set for the background process that does the work. */
const leftBehind = 'SYLK_HOOK_LEFT_BEHIND';
const maxBytes = 1_000_000;

/**
 * What a coding client runs. It must never stand in the client's way: whatever goes wrong, it ends in time, says
 * nothing and succeeds. Only the start and a prompt have an answer; a record is written by a process that is left behind,
 * because clients that end do not wait for their hooks.
 */
export const run: CommandRun = async ([client, event], flags, io) => {
  const late = setTimeout(() => process.exit(0), io.env[leftBehind] ? patience * 5 : patience);
  try {
    const said = await readStandardInput();
    if (event !== 'start' && event !== 'prompt' && !io.env[leftBehind]) {
      const [script, ...words] = process.argv.slice(1) as [string, ...string[]];
      const env = { ...ownVariables(io.env), [leftBehind]: '1' };
      await leaveBehind(process.execPath, [...process.execArgv, script, ...words], {
        cwd: io.cwd,
        env,
        input: said,
      });
      return 0;
    }
    const [{ openApp }, { runOperation }] = await Promise.all([
      import('../../app.ts'),
      import('../../operations/run.ts'),
    ]);
    const payload = readObject(said);
    const there = typeof payload['cwd'] === 'string' ? payload['cwd'] : io.cwd;
    const app = openApp({ directory: flags.repo[0] ?? there, env: io.env, flags: flags.set });
    try {
      const outcome = await runOperation(app, {
        name: 'run_client_hook',
        input: { client, event, payload },
        caller: { kind: 'person', name: io.env.USER ?? 'person' },
      });
      const { reply } = objectOf(outcome.ok ? outcome.output : undefined);
      if (reply) io.out(`${reply}\n`);
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

const ownVariables = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] =>
      /^(?:SYLK_|NODE_COMPILE)/.test(entry[0]),
    ),
  );

function readObject(text: string): Record<string, unknown> {
  try {
    // Output of a program may contain characters that no operation accepts.
    const value: unknown = JSON.parse(text, (_name, inner) =>
      typeof inner === 'string' ? inner.replaceAll('\0', '\ufffd').toWellFormed() : inner,
    );
    return objectOf(value);
  } catch {
    return {};
  }
}

/** The client's message, as far as it arrives within a second. */
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
