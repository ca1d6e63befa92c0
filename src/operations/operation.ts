import type { z } from 'zod';
import type { App } from '../app.ts';
import type { ErrorReport } from '../base/errors.ts';

/**
 * What an operation does to the world. `read` leaves every file and row as it was. `write` changes the library.
 * `derive` rebuilds what can be derived again. `fetch` reaches outside this machine. `setup` arranges this machine or
 * repository for the person who asks. `decide` answers for a person (approvals, trust). The last two are never offered
 * to agents; a decision is confirmed on the terminal besides.
 */
export type Effect = 'read' | 'write' | 'derive' | 'fetch' | 'setup' | 'decide';

/** Who asks: a person at this machine, a coding agent over MCP, or the holder of a network token. */
export interface Caller {
  kind: 'person' | 'agent' | 'network';
  name: string;
  /** Handle of the conversation, when the client tells one. It chooses a session; it grants nothing. */
  conversation?: string | undefined;
  /** A command without a terminal: a script, or the shell of an agent. It may do what the person may, in no one's voice. */
  unattended?: boolean;
  /** A server started with --read-only passes true; anything but `read` is then refused. */
  readOnly?: boolean;
}

/** True where the words of a call are a person's own. */
export const isPersonSpeaking = ({ kind, unattended }: Caller): boolean => kind === 'person' && !unattended;

export interface Progress {
  done: number;
  total?: number;
  message: string;
}

/** What a run says on the way. Every surface shows it its own way. */
export type CallEvent =
  | ({ type: 'progress' } & Progress)
  | { type: 'text'; text: string }
  | { type: 'tool_call'; name: string; input: unknown }
  | { type: 'approval'; approval_id: string; message: string };

export interface OperationContext {
  app: App;
  caller: Caller;
  signal: AbortSignal;
  /** For work that is deeper than `run`: what it says on the way. */
  emit(event: CallEvent): void;
  progress(event: Progress): void;
}

/** How the operation looks as a command. The verb itself stands in list.ts, so that it is known before loading. */
export interface CommandShape {
  /** Input fields that are given in order without a flag; the last may take all that is left. */
  positionals?: string[];
  /** The last positional collects the remaining words: into a text joined by blanks, or into a list. */
  rest?: boolean;
}

export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  name: string;
  /** One or two sentences a model chooses by: what it answers and when to use it. */
  summary: string;
  effect: Effect;
  /** Deletes or overwrites what was there. */
  destructive?: boolean;
  /** The same call twice leaves the same state as once. Reads are idempotent by nature. */
  idempotent?: boolean;
  input: Input;
  output: Output;
  /** Valid inputs; the contract test runs each through every surface on a fixture repository. */
  examples: Array<z.input<Input>>;
  command?: CommandShape;
  /**
   * For a decision: everything that it is about, shown before the person answers. `allowed` says that a rule in the
   * person's own file answers for it, or that nothing is left to decide: the only ways without a terminal. `input`
   * binds the answer to what was shown.
   */
  consent?(
    input: z.output<Input>,
    app: App,
  ): Promise<{ shown: string; allowed: boolean; input?: Partial<z.input<Input>> }>;
  /** Plain text for terminals and models. Without it the output is shown as JSON. */
  render?(output: z.output<Output>): string;
  /** True for an answer that reports a failure: the command prints it and ends with 1, so that a script notices. */
  isFailure?(output: z.output<Output>): boolean;
  /** Answers, or yields events on the way to its answer. */
  run(
    input: z.output<Input>,
    context: OperationContext,
  ): Promise<z.input<Output>> | AsyncGenerator<CallEvent, z.input<Output>>;
  /** The body of a failed reply, for toolsets whose contract has one. Surfaces show it beside the error itself. */
  failure?(error: ErrorReport, context: Pick<OperationContext, 'app'>): z.input<Output>;
}

export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}

export const isForPersons = ({ effect }: Pick<AnyDefinition, 'effect'>): boolean =>
  effect === 'decide' || effect === 'setup';

/** A definition whose schemas do not matter to the holder. */
// biome-ignore lint/suspicious/noExplicitAny: a registry holds operations of every input and output
export type AnyDefinition = Operation<any, any>;

/** A definition as registries and surfaces hold it, with the group that `--toolsets` names. */
export type AnyOperation = AnyDefinition & { toolset: string };
