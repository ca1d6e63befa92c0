import table from './spellings.json' with { type: 'json' };

/** A name that stands for an operation, from a design document or an earlier release. It works on every surface. */
export interface Spelling {
  operation: string;
  /** Inputs that the name stands for. */
  set?: Readonly<Record<string, unknown>>;
  /** Inputs of the operation that the name does not have. */
  unset?: readonly string[];
  /** Input under this name → input of the operation. */
  rename?: Readonly<Record<string, string>>;
  /** Inputs that must be given under this name. */
  require?: readonly string[];
  /** Inputs that are accepted under this name and have no effect where the operation lacks them. */
  ignore?: readonly string[];
  /** `sylk <command>` that means this name, and the inputs it takes without a flag where they differ. */
  command?: string;
  positionals?: readonly string[];
}

/** A name whose input `choose` says which operation is meant. */
export interface SpellingByInput {
  choose: string;
  /** The value where the input is left out. */
  default?: string;
  /** Value → row, or the name that it leads to. The row `*` is for any other value, and leaves the input as it is. */
  of: Readonly<Record<string, Spelling | string>>;
  ignore?: readonly string[];
  command?: string;
  positionals?: readonly string[];
}

/**
 * The only table of names and spellings. A row is the name that it leads to, which may itself be a row, or says more.
 * Inputs in camelCase are read as snake_case without a row.
 */
const names: Readonly<Record<string, Spelling | SpellingByInput | string>> = table.names;

export const spellingNames: readonly string[] = Object.keys(names);

export function spellingOf(name: string): Spelling | SpellingByInput | undefined {
  const row = Object.hasOwn(names, name) ? names[name] : undefined;
  return typeof row === 'string' ? { operation: row } : row;
}

/** Spellings of one input, on every operation that has the input on the right and not the one on the left. */
export const inputSpellings: Readonly<Record<string, string>> = table.inputs;

/** Spellings of one input on one operation; null for one that is accepted and has no effect. */
export const operationInputs: Readonly<Record<string, Readonly<Record<string, string | null>>>> =
  table.operation_inputs;

/** Keys that MCP clients add to the arguments of every tool. They are dropped with a note; anything else is refused. */
export const clientExtras: Readonly<Record<string, string>> = table.client_extras;
