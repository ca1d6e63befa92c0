import { findOperation } from '../../operations/list.ts';
import { type CommandRun, matchCommand } from './command.ts';
import { commandHelp, groupHelp, operationHelp, overview } from './help.ts';
import { matchVerb } from './verbs.ts';

export const run: CommandRun = async (args, _flags, io) => {
  const [first] = args;
  const matched = matchVerb(args);
  const command = matchCommand(args);
  if (first === undefined) io.out(overview());
  else if (command && (!matched || matched.verb.split(' ').length < 2)) io.out(commandHelp(command.name));
  else if (matched) io.out(operationHelp(await findOperation(matched.name), matched.verb));
  else io.out((await groupHelp(first)) ?? operationHelp(await findOperation(first), `call ${first}`));
  return 0;
};
