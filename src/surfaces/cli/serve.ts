import { SylkError } from '../../base/errors.ts';
import type { CommandRun } from './command.ts';
import { run as runUp } from './up.ts';

/** `sylk up` for a team: the library is in PostgreSQL, and workers exchange commits through this server. */
export const run: CommandRun = (args, flags, io) => {
  const isNamed = flags.set.some((setting) => setting.startsWith('team.database='));
  if (!isNamed && !io.env.SYLK_TEAM_DATABASE)
    throw new SylkError('VALIDATION_ERROR', 'A server needs the PostgreSQL database of its team.', {
      hint: 'sylk serve --database postgres://USER@HOST/NAME?schema=sylk, or set SYLK_TEAM_DATABASE. `sylk up` serves this machine alone.',
    });
  return runUp(args, flags, io);
};
