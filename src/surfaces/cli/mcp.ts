import { parseArgs } from 'node:util';
import { messageOf, SylkError } from '../../base/errors.ts';
import { sanitizeTerminalText } from '../../base/terminal-text.ts';
import type { CommandRun } from './command.ts';
import { exitLater } from './interrupt.ts';

export const run: CommandRun = async (args, flags, io) => {
  const options = readMcpFlags(args);
  const [{ serveMcpOverStdio }, { createWorkspace }] = await Promise.all([
    import('../mcp/index.ts'),
    import('../shared/workspace.ts'),
  ]);
  const workspace = createWorkspace({
    directories: flags.repo.length > 0 ? flags.repo : [io.cwd],
    env: io.env,
    flags: flags.set,
    mode: options.index ? 'server' : 'command',
    tell: (line) => io.err(`${sanitizeTerminalText(line)}\n`),
    onOpen: (app) => {
      if (options.index) void app.startBackground();
    },
  });
  await serveMcpOverStdio({ workspace, selection: options.selection, callerKind: 'agent' });
  // The client has exited and its requests are answered: the process ends within a second.
  const code = workspace.problems().length > 0 ? 1 : 0;
  exitLater(code, 600);
  await workspace.close();
  await written();
  process.exit(code);
};

/** A pipe takes 64 kB at a time: a large answer may still be in transit when the client closes its side. */
const written = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 2000).unref();
    process.stdout.write('', () => resolve());
  });

export function readMcpFlags(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        toolsets: { type: 'string', multiple: true },
        allow: { type: 'string', multiple: true },
        deny: { type: 'string', multiple: true },
        'read-only': { type: 'boolean', default: false },
        'no-index': { type: 'boolean', default: false },
        structured: { type: 'boolean', default: false },
      },
    });
    const list = (given: string[] | undefined) =>
      (given ?? [])
        .flatMap((text) => text.split(','))
        .map((word) => word.trim())
        .filter(Boolean);
    return {
      selection: {
        toolsets: list(values.toolsets),
        allow: list(values.allow),
        deny: list(values.deny),
        readOnly: values['read-only'],
        structured: values.structured,
      },
      index: !values['no-index'],
    };
  } catch (error) {
    throw new SylkError('VALIDATION_ERROR', messageOf(error), {
      hint: 'Usage: sylk mcp [--repo PATH] [--toolsets a,b|all] [--read-only] [--allow NAMES] [--deny NAMES] [--structured]',
    });
  }
}
