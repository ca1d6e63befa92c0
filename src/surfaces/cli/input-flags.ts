import { z } from 'zod';
import { closest } from '../../base/closest.ts';
import { SylkError } from '../../base/errors.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { isIgnored, knownInput, type ResolvedName, resolveName } from '../../operations/resolve.ts';

export interface InputFlag {
  field: string;
  /** `--include-deleted`. */
  flag: string;
  kind: 'switch' | 'value' | 'list' | 'json';
  choices?: string[];
  about: string;
  required: boolean;
}

type JsonSchema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  description?: string;
  items?: JsonSchema;
};

/** The flags of a command are the inputs of its operation. */
export function inputFlags(operation: AnyOperation): InputFlag[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([field, property]) => ({
    field,
    flag: flagOf(field),
    ...kindOf(property),
    about: property.description ?? '',
    required: schema.required?.includes(field) ?? false,
  }));
}

const flagOf = (field: string): string =>
  `--${field
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()}`;

function kindOf(property: JsonSchema): Pick<InputFlag, 'kind' | 'choices'> {
  const variants = [property, ...(property.anyOf ?? [])];
  const types = variants.flatMap((variant) => variant.type ?? []);
  const choices = variants.flatMap((variant) => variant.enum ?? []).map(String);
  if (types.includes('array')) return { kind: 'list' };
  if (types.includes('boolean') && !types.includes('string')) return { kind: 'switch' };
  if (types.includes('object')) return { kind: 'json' };
  return choices.length > 0 ? { kind: 'value', choices } : { kind: 'value' };
}

/** The input that selects the operation of a name, needed before the flags of that operation are known. */
export function inputIn(
  args: string[],
  input: string,
  positionals: readonly string[] = [],
): string | undefined {
  const flag = flagOf(input);
  const at = args.findIndex((arg) => splitFlag(arg)[0] === flag);
  if (at >= 0) return splitFlag(args[at] ?? '')[1] ?? args[at + 1];
  const word = args[positionals.indexOf(input)];
  return word?.startsWith('--') ? undefined : word;
}

/** Reads words and flags into the input of an operation. Values stay strings where the schema converts them itself. */
export function readInput(
  operation: AnyOperation,
  args: string[],
  resolved: ResolvedName = resolveName(operation.name, () => undefined),
): Record<string, unknown> {
  const flags = inputFlags(operation);
  const flagNamed = (word: string): { flag: InputFlag; negated: boolean } | undefined => {
    const [name] = splitFlag(word);
    const spelled = (text: string) => flags.find((flag) => flag.flag === text) ?? spelledFlag(text);
    const spelledFlag = (text: string): InputFlag | undefined => {
      const given = text.slice(2).replaceAll('-', '_');
      const field = knownInput(operation, resolved.inputName(given));
      return (
        flags.find((flag) => flag.field === field) ??
        (isIgnored(operation, resolved, given) ? ignoredFlag : undefined)
      );
    };
    const flag = name.startsWith('--') ? spelled(name) : undefined;
    if (flag) return { flag, negated: false };
    const positive = name.startsWith('--no-') ? spelled(`--${name.slice(5)}`) : undefined;
    return positive?.kind === 'switch' ? { flag: positive, negated: true } : undefined;
  };
  const input: Record<string, unknown> = {};
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith('--')) {
      words.push(arg);
      continue;
    }
    const [name, inline] = splitFlag(arg);
    const named = flagNamed(arg);
    if (!named) throw unknownFlag(name, operation, flags);
    const { flag, negated } = named;
    if (flag.kind === 'switch') {
      input[flag.field] = negated ? false : inline === undefined || ['true', '1', 'yes'].includes(inline);
      continue;
    }
    const next = args[at + 1];
    // A value may start with dashes; it is a flag only if the command has that flag.
    const bare = inline === undefined && (next === undefined || flagNamed(next) !== undefined);
    // Switches that accept text from other clients are value flags here: without a value they mean true.
    const value = bare ? 'true' : (inline ?? args[++at] ?? '');
    if (flag !== ignoredFlag) input[flag.field] = readValue(flag, value, input[flag.field]);
  }
  placeWords(operation, resolved, words, input, flags);
  return { ...input, ...resolved.set };
}

/** For an input that is accepted without effect. */
const ignoredFlag: InputFlag = { field: '', flag: '', kind: 'value', about: '', required: false };

function readValue(flag: InputFlag, value: string, before: unknown): unknown {
  if (flag.kind === 'list') return appended(before, value);
  return flag.kind === 'json' ? parseJson(flag, value) : value;
}

const splitFlag = (arg: string): [string, string | undefined] => {
  const at = arg.indexOf('=');
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
};

function appended(before: unknown, value: string): unknown[] {
  const list = Array.isArray(before) ? before : [];
  if (!/^[[{]/.test(value)) return [...list, ...value.split(',').map((part) => part.trim())];
  try {
    return [...list, ...[JSON.parse(value)].flat()];
  } catch {
    return [...list, value];
  }
}

function parseJson(flag: InputFlag, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new SylkError('VALIDATION_ERROR', `${flag.flag} is not valid JSON.`, {
      hint: `${flag.flag} '{"key": "value"}'`,
    });
  }
}

function placeWords(
  operation: AnyOperation,
  resolved: ResolvedName,
  words: string[],
  input: Record<string, unknown>,
  flags: InputFlag[],
): void {
  const positionals = resolved.positionals ?? operation.command?.positionals ?? [];
  for (const [at, positional] of positionals.entries()) {
    const last = at === positionals.length - 1;
    if (words.length === 0) return;
    const field = knownInput(operation, resolved.inputName(positional));
    if (!field) {
      words.shift();
      continue;
    }
    if (last && (operation.command?.rest || resolved.positionals)) {
      const list = flags.find((flag) => flag.field === field)?.kind === 'list';
      input[field] = list ? words.splice(0) : words.splice(0).join(' ');
    } else input[field] = words.shift();
  }
  if (words.length === 0) return;
  throw new SylkError('VALIDATION_ERROR', `Unexpected word: ${JSON.stringify(words[0])}`, {
    hint:
      positionals.length > 0
        ? `Usage: ${positionals.map((field) => `<${field}>`).join(' ')}. Quote a text with spaces.`
        : 'Use flags; --help lists them.',
  });
}

function unknownFlag(name: string, operation: AnyOperation, flags: InputFlag[]): SylkError {
  const near = closest(
    name,
    flags.map((flag) => flag.flag),
  );
  return new SylkError('VALIDATION_ERROR', `Unknown flag ${name}.`, {
    hint: near
      ? `Did you mean ${near}?`
      : `Flags: ${flags.map((flag) => flag.flag).join(' ') || 'none'} (${operation.name})`,
  });
}
