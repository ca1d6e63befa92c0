import { findOperation } from '../../operations/list.ts';
import type { CommandRun } from './command.ts';
import { operationHelp, overview } from './help.ts';
import { matchVerb } from './verbs.ts';

export const run: CommandRun = async (args, _flags, io) => {
  const matched = matchVerb(args);
  if (args.length === 0 || (!matched && args[0] === undefined)) io.out(overview());
  else if (matched) io.out(operationHelp(await findOperation(matched.name), matched.verb));
  else io.out(operationHelp(await findOperation(args[0]!), `call ${args[0]}`));
  return 0;
};
