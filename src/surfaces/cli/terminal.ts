import { nouns } from '../../operations/list.ts';
import { type CommandRun, commandNames } from './command.ts';
import { matchVerb } from './verbs.ts';

/** `sylk` without words, in a terminal. */
export const run: CommandRun = async (args, flags, io) => {
  const { openTerminal } = await import('../tui/index.ts');
  await openTerminal({
    directory: flags.repo[0] ?? io.cwd,
    env: io.env,
    flags: flags.set,
    isPlain: args.includes('--plain') || io.env.TERM === 'dumb',
    isPrompting: io.interactive === true,
    out: io.out,
    verbs: nouns.flatMap(({ noun, verbs }) =>
      Object.values(verbs).flatMap((verb) => (verb === null ? [] : [{ verb, about: noun }])),
    ),
    verbOf: (words) => (words[0] === 'call' ? 'call' : matchVerb(words)?.verb),
    shellCommands: Object.keys(commandNames).filter((name) => name !== 'call'),
  });
  return 0;
};
