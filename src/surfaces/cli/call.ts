import { SylkError } from '../../base/errors.ts';
import { system } from '../../base/files/index.ts';
import { findOperation } from '../../operations/list.ts';
import type { CommandRun } from './command.ts';
import { runAndPrint } from './run-command.ts';

/** `sylk call <operation> '<json>'`; `-` reads the JSON from standard input. Prints JSON. */
export const run: CommandRun = async ([name, text, ...more], flags, io) => {
  if (!name || more.length > 0)
    throw new SylkError('VALIDATION_ERROR', "Expected: sylk call <operation> '<json>'.", {
      hint: '`sylk help` lists the operations.',
    });
  const operation = await findOperation(name);
  return runAndPrint(
    operation,
    parse(text === '-' ? system.readStandardInput() : text),
    { ...flags, json: true },
    io,
  );
};

function parse(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SylkError('VALIDATION_ERROR', `The input is not valid JSON: ${(error as Error).message}`, {
      hint: `Quote it for the shell: sylk call search '{"query": "rate limiting"}'`,
    });
  }
}
