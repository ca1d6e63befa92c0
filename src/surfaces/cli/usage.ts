import type { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { type InputFlag, inputFlags } from './input-flags.ts';

const argumentNames: Record<string, string> = { path: 'FILE', paths: 'FILES', symbol_id: 'SYMBOL' };

const argumentName = (field: string): string =>
  argumentNames[field] ?? field.toUpperCase().replaceAll('_', '-');

/** `sylk why FILE`: the command with its arguments, the optional ones in brackets. */
export function usageOf(
  operation: AnyOperation,
  verb: string,
  positionals = positionalsOf(operation),
): string {
  const flags = inputFlags(operation);
  const words = positionals.map((field, at) => {
    const name = `${argumentName(field)}${operation.command?.rest && at === positionals.length - 1 ? '…' : ''}`;
    return isRequired(flags, field) ? name : `[${name}]`;
  });
  const required = flags.filter((flag) => flag.required && !positionals.includes(flag.field));
  return ['sylk', verb, ...words, ...required.map((flag) => `${flag.flag} VALUE`)].join(' ');
}

const positionalsOf = (operation: AnyOperation): readonly string[] => operation.command?.positionals ?? [];

const isRequired = (flags: InputFlag[], field: string): boolean =>
  flags.some((flag) => flag.field === field && flag.required);

/** The example of an operation with the fewest inputs, as a command line. */
export function exampleOf(
  operation: AnyOperation,
  verb: string,
  positionals = positionalsOf(operation),
): string {
  const [example = {}] = operation.examples.toSorted((a, b) => Object.keys(a).length - Object.keys(b).length);
  const flags = inputFlags(operation);
  const words = positionals.flatMap((field) =>
    field in example ? [example[field]].flat().map(shellWord) : [],
  );
  const rest = Object.entries(example).flatMap(([field, value]) => {
    const flag = positionals.includes(field) ? undefined : flags.find((each) => each.field === field);
    if (!flag || value === false) return [];
    return flag.kind === 'switch' ? [flag.flag] : [flag.flag, shellWord(listValue(value))];
  });
  return ['sylk', verb, ...words, ...rest].join(' ');
}

/** A list of words as `a,b`, the way a flag takes it. */
const listValue = (value: unknown): unknown =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(',') : value;

function shellWord(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Refuses input that the operation would refuse, in the words of the command line: arguments, flags, a usage line. */
export function checkInput(
  operation: AnyOperation,
  verb: string,
  input: Record<string, unknown>,
  positionals = positionalsOf(operation),
): void {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return;
  const label = (field: PropertyKey): string =>
    positionals.includes(String(field))
      ? argumentName(String(field))
      : `--${String(field).replaceAll('_', '-')}`;
  const problems = parsed.error.issues.map(({ path, message }: z.core.$ZodIssue) => {
    const [field, ...inner] = path;
    if (field === undefined) return message;
    if (input[String(field)] === undefined) return `Missing ${label(field)}.`;
    const reason = message.replace(/^Invalid (?:input|option): /, '');
    return `Invalid ${[label(field), ...inner.map(String)].join('.')}: ${reason}.`;
  });
  throw new SylkError('VALIDATION_ERROR', [...new Set(problems)].slice(0, 5).join(' '), {
    hint: `Usage: ${usageOf(operation, verb, positionals)}. Example: ${exampleOf(operation, verb, positionals)}`,
  });
}
