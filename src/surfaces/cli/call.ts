import { messageOf, SylkError } from '../../base/errors.ts';
import { system } from '../../base/files/index.ts';
import { showName } from '../../base/terminal-text.ts';
import { resolveOperation } from '../../operations/list.ts';
import { readerOf, resolveInput } from '../../operations/resolve.ts';
import type { CommandRun } from './command.ts';
import { runAndPrint } from './run-command.ts';

/** `sylk call <operation> '<json>'`; `-` reads the JSON from standard input. Prints JSON. */
export const run: CommandRun = async ([name, text, ...more], flags, io) => {
  if (!name || more.length > 0)
    throw new SylkError('VALIDATION_ERROR', "Missing operation. Usage: sylk call <operation> '<json>'", {
      hint: 'Run `sylk help` to list the operations. Example: sylk call search \'{"query": "rate limiting"}\'',
    });
  const given = parse(text === '-' ? system.readStandardInput() : text);
  const { operation, resolved } = await resolveOperation(name, readerOf(given));
  const { input, notes } = resolveInput(operation, resolved, given);
  if (!flags.quiet) for (const note of notes) io.err(`note: ${showName(note)}\n`);
  return runAndPrint(operation, input, { ...flags, json: true }, io);
};

function parse(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SylkError('VALIDATION_ERROR', `The input is not valid JSON: ${messageOf(error)}`, {
      hint: `Quote it for the shell: sylk call search '{"query": "rate limiting"}'`,
    });
  }
}
