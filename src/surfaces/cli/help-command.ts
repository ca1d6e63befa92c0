import { findOperation, nouns } from '../../operations/list.ts';
import { type CommandRun, matchCommand } from './command.ts';
import { allHelp, commandHelp, groupHelp, operationHelp, overview } from './help.ts';
import { matchVerb } from './verbs.ts';

export const run: CommandRun = async (args, _flags, io) => {
  io.out(await helpPage(args));
  return 0;
};

/** What `sylk help WORDS` prints. */
export async function helpPage(args: string[]): Promise<string> {
  const [first] = args;
  if (first === undefined) return overview();
  if (first === 'all') return allHelp();
  const matched = matchVerb(args);
  const command = matchCommand(args);
  const topic =
    args.length === 1 && nouns.some(({ noun }) => noun === first) ? await groupHelp(first) : undefined;
  if (topic && !matched) return topic;
  if (command && (!matched || matched.verb.split(' ').length < 2)) return commandHelp(command.name);
  if (!matched) return (await groupHelp(first)) ?? operationHelp(await findOperation(first), `call ${first}`);
  const page = operationHelp(await findOperation(matched.name), matched.verb);
  return topic ? `${page}\n${topic}` : page;
}
