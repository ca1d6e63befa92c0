import table from './spellings.json' with { type: 'json' };

/** Another name of an operation, from a design document or an earlier release. It works on every surface. */
export interface Spelling {
  operation: string;
  /** Inputs that the name implies. */
  set?: Readonly<Record<string, unknown>>;
  /** Inputs of the operation that the name does not have. */
  unset?: readonly string[];
  /** Input under this name → input of the operation. */
  rename?: Readonly<Record<string, string>>;
  /** Inputs required under this name. */
  require?: readonly string[];
  /** Inputs accepted under this name that have no effect where the operation lacks them. */
  ignore?: readonly string[];
  /** `sylk <command>` for this name, and its positional inputs where they differ. */
  command?: string;
  positionals?: readonly string[];
}

/** A name whose input `choose` selects the operation. */
export interface SpellingByInput {
  choose: string;
  /** The default value of the input. */
  default?: string;
  /** Value → row, or the name it leads to. The row `*` matches any other value and leaves the input unchanged. */
  of: Readonly<Record<string, Spelling | string>>;
  ignore?: readonly string[];
  command?: string;
  positionals?: readonly string[];
}

/**
 * The only table of names and spellings. A row is the name it leads to, which may itself be a row, or an object with details.
 * camelCase inputs are read as snake_case without a row.
 */
const names: Readonly<Record<string, Spelling | SpellingByInput | string>> = table.names;

export const spellingNames: readonly string[] = Object.keys(names);

export function spellingOf(name: string): Spelling | SpellingByInput | undefined {
  const row = Object.hasOwn(names, name) ? names[name] : undefined;
  return typeof row === 'string' ? { operation: row } : row;
}

/** Spellings of an input on every operation that has the input on the right and not the one on the left. */
export const inputSpellings: Readonly<Record<string, string>> = table.inputs;

/** Spellings of an input on one operation; null for one that is accepted without effect. */
export const operationInputs: Readonly<Record<string, Readonly<Record<string, string | null>>>> =
  table.operation_inputs;

/** Keys that MCP clients add to the arguments of every tool. They are dropped with a note; other unknown keys are refused. */
export const clientExtras: Readonly<Record<string, string>> = table.client_extras;
