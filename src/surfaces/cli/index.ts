// owns: the command line. knows: operations. must not know: stores, engines, other surfaces.
import { closest } from '../../base/closest.ts';
import { reportOf, SylkError } from '../../base/errors.ts';
import { findOperation, resolveOperation } from '../../operations/list.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { spellingOf } from '../../operations/spellings.ts';
import { commandNames, matchCommand } from './command.ts';
import { loaders } from './commands.ts';
import { type GlobalFlags, takeGlobalFlags } from './global-flags.ts';
import { commandHelp, groupHelp, operationHelp, overview } from './help.ts';
import { inputIn, readInput } from './input-flags.ts';
import type { Io } from './io.ts';
import { printError, runAndPrint } from './run-command.ts';
import { checkInput } from './usage.ts';
import { allVerbs, matchVerb } from './verbs.ts';

export { commandMenu } from './help.ts';
export { helpPage } from './help-command.ts';
export { type Io, processIo } from './io.ts';

/** Runs one command and returns its exit code. Never throws. */
export async function runCli(args: string[], io: Io): Promise<number> {
  const json = args.includes('--json');
  try {
    const { flags, rest } = takeGlobalFlags(args);
    return await dispatch(rest, flags, io);
  } catch (error) {
    return printError(reportOf(error), { json }, io);
  }
}

async function dispatch(words: string[], flags: GlobalFlags, io: Io): Promise<number> {
  const isPlain = words.length === 1 && words[0] === '--plain';
  if (!flags.help && !flags.noInput && (isPlain || (words.length === 0 && io.interactive)))
    return (await import('./terminal.ts')).run(words, flags, io);
  if (words.length === 0) {
    io.out(overview());
    return flags.help ? 0 : 2;
  }
  const matched = matchVerb(words);
  const command = matchCommand(words);
  if (command && (!matched || matched.verb.split(' ').length < 2)) {
    const { name } = command;
    if (flags.help) {
      io.out(commandHelp(name));
      return 0;
    }
    return (await loaders[name]()).run(command.rest, flags, io);
  }
  if (!matched) {
    const group = words.length === 1 ? await groupHelp(words[0] ?? '') : undefined;
    if (!group) throw unknownCommand(words);
    io.out(group);
    return flags.help ? 0 : 2;
  }
  if (flags.help) {
    io.out(operationHelp(await findOperation(matched.name), matched.verb));
    return 0;
  }
  const { operation, input } = await readCommand(words);
  return runAndPrint(operation, input, flags, io);
}

/** The words of a command as an operation and its input. */
export async function readCommand(words: string[]): Promise<{ operation: AnyOperation; input: unknown }> {
  const matched = matchVerb(words);
  if (!matched) throw unknownCommand(words);
  const { name, rest, verb } = matched;
  const positionals = spellingOf(name)?.positionals;
  const { operation, resolved } = await resolveOperation(name, (input) => inputIn(rest, input, positionals));
  const input = readInput(operation, rest, resolved);
  checkInput(operation, verb, input, resolved.positionals);
  return { operation, input };
}

function unknownCommand(words: string[]): SylkError {
  const known = [...Object.keys(commandNames), ...allVerbs()];
  const said = words.filter((word) => !word.startsWith('-')).slice(0, 2);
  const beginning = known.filter((verb) => verb.startsWith(`${said[0]} `));
  const near = closest(said.join(' '), known) ?? closest(said[0] ?? '', known);
  const nearest = near ? `Did you mean \`sylk ${near}\`?` : 'Run `sylk help` to list all commands.';
  const hint = beginning.length > 0 ? `Commands: ${beginning.join(' · ')}` : nearest;
  return new SylkError('VALIDATION_ERROR', `Unknown command: ${said.join(' ') || words[0]}`, { hint });
}
