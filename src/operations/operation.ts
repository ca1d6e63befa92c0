import type { z } from 'zod';
import type { App } from '../app.ts';
import type { ErrorReport } from '../base/errors.ts';
import type { Access } from '../stores/people/index.ts';

/**
 * What an operation may change. `read` changes no file and no row. `write` changes the library.
 * `derive` rebuilds derived data. `fetch` reaches outside this machine. `setup` changes this machine or
 * repository for the person who calls it. `decide` answers for a person (approvals, trust). The last two are never
 * offered to agents; a decision is also confirmed on the terminal.
 */
export type Effect = 'read' | 'write' | 'derive' | 'fetch' | 'setup' | 'decide';

/** The caller: a person at this machine, a coding agent over MCP, or the holder of a network token. */
export interface Caller {
  kind: 'person' | 'agent' | 'network';
  name: string;
  /** Id of the conversation, if the client sends one. It selects a session and grants nothing. */
  conversation?: string | undefined;
  /** A command without a terminal: a script, or an agent's shell. It has the person's rights, but no author. */
  unattended?: boolean;
  /** In a team: who the server found by a token or a session. Absent at a terminal, and where there is no team. */
  access?: Access | undefined;
  /** True for a server started with --read-only; every effect except `read` is then refused. */
  readOnly?: boolean;
}

/** True where the text of a call is the person's own. */
export const isPersonSpeaking = ({ kind, unattended }: Caller): boolean => kind === 'person' && !unattended;

export interface Progress {
  done: number;
  total?: number;
  message: string;
}

/** What a tool call writes; without the old text, the whole file. */
export interface FileChange {
  path: string;
  old_text: string | undefined;
  new_text: string;
}

/** Events of a call in progress. Every surface shows them its own way. */
export type CallEvent =
  | ({ type: 'progress' } & Progress)
  /** `from` an agent: its words, which may look like ours. */
  | { type: 'text'; text: string; from?: 'agent' }
  | { type: 'tool_call'; id?: string; name: string; input: unknown; change?: FileChange | undefined }
  | { type: 'tool_result'; id: string; text: string; is_error: boolean }
  | { type: 'plan'; entries: Array<{ content: string; status: 'pending' | 'in_progress' | 'completed' }> }
  | { type: 'approval'; approval_id: string; message: string }
  /** Something that happened in a run: `what` became of it, or of its node. */
  | {
      type: 'run';
      run: string;
      node?: string;
      at: string;
      what: string;
      text: string;
      /** Of an event of the run: its place. It stays the same in every process. */
      number?: number | undefined;
      /** What an agent of the run waits for, where it is a person's answer. */
      approval_id?: string | undefined;
    };

export interface OperationContext {
  app: App;
  caller: Caller;
  signal: AbortSignal;
  /** Lets work below `run` emit events. */
  emit(event: CallEvent): void;
  progress(event: Progress): void;
  registry: Registry;
}

/** All operations, for agents: they are their tools. */
export interface Registry {
  all(): Promise<AnyOperation[]>;
  run(request: {
    name: string;
    input: unknown;
    caller: Caller;
    signal?: AbortSignal;
  }): Promise<{ ok: true; output: unknown; operation: AnyOperation } | { ok: false; error: ErrorReport }>;
}

/** The command form of the operation. The verb itself is in nouns/, so that it is available before loading. */
export interface CommandShape {
  /** Input fields passed in order without a flag; the last may take all remaining words. */
  positionals?: string[];
  /** The last positional collects the remaining words: into a text joined by spaces, or into a list. */
  rest?: boolean;
}

export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  name: string;
  /** One or two sentences that a model chooses by: what it does and when to use it. */
  summary: string;
  effect: Effect;
  /** Deletes or overwrites existing data. */
  destructive?: boolean;
  /** Repeating the call leaves the same state. Reads are idempotent by nature. */
  idempotent?: boolean;
  input: Input;
  output: Output;
  /** Valid inputs; the contract test runs each through every surface on a fixture repository. */
  examples: Array<z.input<Input>>;
  command?: CommandShape;
  /**
   * For a decision: everything it is about, shown before the person answers. `allowed` means that a rule in the
   * person's own file answers, or that nothing is left to decide: the only ways without a terminal. `input`
   * binds the answer to what was shown.
   */
  consent?(
    input: z.output<Input>,
    app: App,
  ): Promise<{ shown: string; allowed: boolean; input?: Partial<z.input<Input>> }>;
  /**
   * Plain text for terminals and models. Without it, the output is shown as JSON. Routing, levels, trust numbers and
   * token counts are for `verbose` only.
   */
  render?(output: z.output<Output>, options: { verbose: boolean }): string;
  /** The answer has a secret that is shown this once: it is not redacted. */
  showsSecret?: boolean;
  /** Its events are what it is for: a command shows them as they come, also without --events; `lines` with --json too. */
  live?: boolean | 'lines';
  /** True for an answer that reports a failure: the command prints it and exits with 1, or with the code, so that scripts notice. */
  isFailure?(output: z.output<Output>): boolean | number;
  /** What the answer leaves to the person: asked at a terminal, where a reply becomes the input of the next call. */
  question?(output: z.output<Output>): { text: string; next(reply: string): z.input<Input> } | undefined;
  /** Returns the answer, or yields events first. */
  run(
    input: z.output<Input>,
    context: OperationContext,
  ): Promise<z.input<Output>> | AsyncGenerator<CallEvent, z.input<Output>>;
  /** The body of a failed reply, for toolsets whose contract has one. Surfaces show it next to the error. */
  failure?(error: ErrorReport, context: Pick<OperationContext, 'app'>): z.input<Output>;
}

export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}

export const isForPersons = ({ effect }: Pick<AnyDefinition, 'effect'>): boolean =>
  effect === 'decide' || effect === 'setup';

/** A definition whose schemas the holder ignores. */
// biome-ignore lint/suspicious/noExplicitAny: a registry holds operations of every input and output
export type AnyDefinition = Operation<any, any>;

/** A definition as registries and surfaces hold it, with the group that `--toolsets` names. */
export type AnyOperation = AnyDefinition & { toolset: string };
