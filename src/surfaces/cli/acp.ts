import { parseArgs } from 'node:util';
import { messageOf, SylkError } from '../../base/errors.ts';
import { sanitizeTerminalText } from '../../base/terminal-text.ts';
import type { CommandRun } from './command.ts';

export const run: CommandRun = async (args, flags, io) => {
  const work = readFlags(args);
  const [{ serveAcp }, { createWorkspace }] = await Promise.all([
    import('../acp/index.ts'),
    import('../shared/workspace.ts'),
  ]);
  const workspace = createWorkspace({
    directories: flags.repo.length > 0 ? flags.repo : [io.cwd],
    env: io.env,
    flags: flags.set,
    mode: 'command',
    tell: (line) => io.err(`${sanitizeTerminalText(line)}\n`),
  });
  await serveAcp({ workspace, work });
  await workspace.close();
  return 0;
};

function readFlags(args: string[]): string[] {
  try {
    const { values } = parseArgs({ args, options: { agent: { type: 'string' }, model: { type: 'string' } } });
    const [first] = Object.entries(values);
    return first ? [first[0], String(first[1])] : [];
  } catch (error) {
    throw new SylkError('VALIDATION_ERROR', messageOf(error), {
      hint: 'Usage: sylk acp [--repo PATH] [--agent NAME | --model PROVIDER/MODEL]',
    });
  }
}
