import { closest } from '../base/closest.ts';
import { SylkError } from '../base/errors.ts';
import { objectOf } from '../base/json.ts';
import type { AnyOperation } from './operation.ts';
import {
  clientExtras,
  inputSpellings,
  operationInputs,
  type Spelling,
  type SpellingByInput,
  spellingOf,
} from './spellings.ts';

/** The operation that a name stands for, and the names of its inputs there. */
export interface ResolvedName {
  operation: string;
  set: Record<string, unknown>;
  inputName(given: string): string;
  /** True for an input that is accepted under this name but has no effect where the operation lacks it. */
  isIgnored(given: string): boolean;
  require: string[];
  positionals?: readonly string[] | undefined;
}

/** Reads an input in the caller's spelling. Some names need an input to choose the operation; `first` accepts any. */
export type InputReader = ((input: string) => unknown) | 'first';

export const readerOf =
  (given: unknown): InputReader =>
  (input) =>
    objectOf(given)[input];

export function resolveName(name: string, reader: InputReader): ResolvedName {
  const steps: Spelling[] = [];
  let positionals: readonly string[] | undefined;
  let operation = name;
  for (let row = spellingOf(operation); row; row = spellingOf(operation)) {
    const step = 'choose' in row ? chosen(operation, row, reader, steps) : row;
    positionals ??= row.positionals ?? step.positionals;
    steps.push(step);
    operation = step.operation;
  }
  return {
    operation,
    set: Object.assign({}, ...steps.map((step, at) => renamed(step, steps.slice(at + 1)))),
    inputName: (given) => throughSteps(given, steps),
    isIgnored: (given) => steps.some(({ ignore }) => ignore?.includes(snakeCase(given))),
    require: steps.flatMap(({ require = [] }, at) =>
      require.map((input) => throughSteps(input, steps.slice(at))),
    ),
    positionals,
  };
}

function chosen(
  name: string,
  { choose, of, ...spelling }: SpellingByInput,
  reader: InputReader,
  steps: Spelling[],
): Spelling {
  const before = steps.findLast(({ set }) => set && Object.hasOwn(set, choose))?.set?.[choose];
  const given = reader === 'first' ? Object.keys(of)[0] : reader(choose);
  const value = before ?? given ?? spelling.default;
  const exact = typeof value === 'string' && Object.hasOwn(of, value) ? of[value] : undefined;
  const row = rowOf(exact ?? (value === undefined ? undefined : of['*']));
  const ignore = [...(spelling.ignore ?? []), ...(exact ? [choose] : [])];
  if (row) return { ...row, ignore: [...(row.ignore ?? []), ...ignore.map(snakeCase)] };
  const problem = value === undefined ? 'is missing' : `${JSON.stringify(value)} is unknown`;
  throw new SylkError('VALIDATION_ERROR', `${name}: ${choose} ${problem}.`, {
    hint: `Give ${choose}: one of ${Object.keys(of).join(', ')}.`,
  });
}

function throughSteps(given: string, steps: Spelling[]): string {
  let input = given;
  for (const { rename } of steps) input = rename?.[input] ?? rename?.[snakeCase(input)] ?? input;
  return input;
}

const rowOf = (row: Spelling | string | undefined): Spelling | undefined =>
  typeof row === 'string' ? { operation: row } : row;

/** The inputs that a step sets, under the names that later steps use. */
const renamed = ({ set = {}, unset = [] }: Spelling, later: Spelling[]): Record<string, unknown> =>
  Object.fromEntries(
    [...unset.map((input) => [input, undefined] as const), ...Object.entries(set)].map(([input, value]) => [
      throughSteps(input, later),
      value,
    ]),
  );

const snakeCase = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, (_match, before, letter) => `${before}_${letter.toLowerCase()}`);

/** The operation's own name for an input in any spelling. */
export function knownInput({ name, input }: AnyOperation, given: string): string | undefined {
  if (Object.hasOwn(input.shape, given)) return given;
  const plain = snakeCase(given);
  const fields = Object.keys(input.shape);
  return (
    operationInputs[name]?.[plain] ??
    fields.find((field) => snakeCase(field) === plain) ??
    fields.find((field) => field === inputSpellings[plain])
  );
}

export const isIgnored = (operation: AnyOperation, resolved: ResolvedName, given: string): boolean =>
  resolved.isIgnored(given) || operationInputs[operation.name]?.[snakeCase(given)] === null;

/** The input under its own names. Unknown keys are refused, except those that clients add by themselves. */
export function resolveInput(
  operation: AnyOperation,
  resolved: ResolvedName,
  given: unknown,
): { input: unknown; notes: string[] } {
  const { set, inputName, require } = resolved;
  if (given === null || given === undefined) return { input: set, notes: [] };
  if (typeof given !== 'object' || Array.isArray(given)) return { input: given, notes: [] };
  const input: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    const field = knownInput(operation, inputName(key));
    if (field !== undefined) {
      if (field === key || !Object.hasOwn(input, field)) input[field] = value;
    } else if (isIgnored(operation, resolved, key)) continue;
    else if (Object.hasOwn(clientExtras, key)) notes.push(`Ignored unknown input ${JSON.stringify(key)}.`);
    else throw unknownInput(operation, key);
  }
  const missing = require.find((field) => input[knownInput(operation, field) ?? field] === undefined);
  if (missing !== undefined) throw missingInput(missing);
  return { input: { ...input, ...set }, notes };
}

export const missingInput = (input: string): SylkError =>
  new SylkError('VALIDATION_ERROR', `Missing ${input}.`, { hint: `Give ${input}.` });

function unknownInput(operation: AnyOperation, key: string): SylkError {
  const known = Object.keys(operation.input.shape);
  const near = closest(key, known);
  return new SylkError(
    'VALIDATION_ERROR',
    `Unknown input ${JSON.stringify(key)}.${near ? ` Did you mean ${JSON.stringify(near)}?` : ''}`,
    {
      hint:
        known.length > 0
          ? `Inputs of ${operation.name}: ${known.join(', ')}.`
          : `${operation.name} takes no input.`,
    },
  );
}
