import type { z } from 'zod';
import type { App } from '../app.ts';
import { type ErrorReport, reportOf, SylkError } from '../base/errors.ts';
import { redact, redactValue } from '../base/redact.ts';
import { isDamaged } from '../base/sqlite/index.ts';
import { collectUnread } from '../base/unread.ts';
import { audited, auditRefusal } from './auditing.ts';
import { startCall } from './calls.ts';
import { allOperations, findOperation, resolveOperation } from './list.ts';
import {
  type AnyOperation,
  type CallEvent,
  type Caller,
  isForPersons,
  type Progress,
  type Registry,
} from './operation.ts';
import { readerOf, resolveInput } from './resolve.ts';
import { repositoryName, requireRight } from './rights.ts';

export type Outcome =
  | {
      ok: true;
      output: unknown;
      operation: AnyOperation;
      notes: string[];
      /** Something that the answer is made from could not be read; a note or the answer says what. */
      isIncomplete: boolean;
    }
  /** `output` is set when the operation's contract has a body for failures. */
  | { ok: false; error: ErrorReport; output?: unknown };

export interface RunRequest {
  name: string;
  input: unknown;
  caller: Caller;
  signal?: AbortSignal;
  onEvent?: (event: CallEvent) => void;
  /** Receives the call id before the call starts; the id can be watched and canceled. */
  onStart?: (call: string) => void;
}

/**
 * The only entry point: finds the operation, checks the caller, parses, runs, parses the output, and turns every failure into
 * data.
 */
export async function runOperation(app: App, request: RunRequest): Promise<Outcome> {
  if (!app.login()) return collectUnread((unread) => runCall(app, request, unread));
  const { withTeam } = await import('./with-team.ts');
  return withTeam(app, request, () => collectUnread((unread) => runCall(app, request, unread)));
}

async function runCall(app: App, request: RunRequest, unread: ReadonlySet<string>): Promise<Outcome> {
  let found: AnyOperation | undefined;
  try {
    const { operation, resolved } = await resolveOperation(request.name, readerOf(request.input));
    found = operation;
    await checkCaller(app, operation, request);
    refuseUnreadable(request.input);
    const { input, notes } = resolveInput(operation, resolved, request.input);
    const parsed = parseInput(operation, input, request.name);
    const { caller } = request;
    const output = await audited(app, { operation, caller, input: parsed }, () =>
      runOnce(app, operation, parsed, request),
    );
    // Files and commits are read unredacted; every answer is redacted here.
    const whole = parseOutput(operation, output);
    const answer = operation.showsSecret ? whole : redactValue(whole);
    const untold = redactValue([...unread]).filter((line) => !says(answer, line));
    // What was written is written: beside it, a part of the history that nobody could read is a note.
    const isIncomplete = unread.size > 0 && operation.effect !== 'write' && operation.effect !== 'decide';
    return { ok: true, output: answer, operation, notes: [...notes, ...untold], isIncomplete };
  } catch (error) {
    const report = redactValue(reportOf(error));
    if (report.code === 'INTERNAL_ERROR') {
      app.log.error(`${request.name} failed`, {
        error: report.message,
        stack: error instanceof Error ? error.stack : undefined,
      });
    }
    found ??= await findOperation(request.name).catch(() => undefined);
    const output = found?.failure?.(report, { app });
    return { ok: false, error: report, output };
  }
}

/** Whether a text of an answer has this line in it. */
const says = (answer: unknown, line: string): boolean =>
  typeof answer === 'string'
    ? answer.includes(line)
    : answer !== null && typeof answer === 'object' && Object.values(answer).some((part) => says(part, line));

async function runOnce(
  app: App,
  operation: AnyOperation,
  input: unknown,
  request: RunRequest,
): Promise<unknown> {
  // A client names itself, and its name is stored with what it writes.
  const caller = { ...request.caller, name: redact(request.caller.name.replaceAll('\0', '').toWellFormed()) };
  const run = startCall(app, operation.name, caller, request.signal);
  const emit = (said: CallEvent) => {
    const event = redactValue(said);
    run.emit(event);
    request.onEvent?.(event);
  };
  const progress = (event: Progress) => emit({ type: 'progress', ...event });
  const registry: Registry = { all: allOperations, run: (inner) => runOperation(app, inner) };
  const context = { app, caller, signal: run.signal, emit, progress, registry };
  const attempt = () => answerOf(operation.run(input, context), emit, run.signal);
  request.onStart?.(run.id);
  try {
    run.signal.throwIfAborted();
    const output = await attempt().catch(async (error) => {
      if (!isDamaged(error)) throw error;
      // The index is derived data: quarantine the damaged one and answer from a new one.
      if (!(await app.healIndex())) throw libraryDamaged(error);
      return attempt();
    });
    run.end(run.signal.aborted ? 'cancelled' : 'done');
    return output;
  } catch (error) {
    run.end(run.signal.aborted ? 'cancelled' : 'failed');
    throw error;
  }
}

/** Returns the answer of a call and emits the events it yields. */
async function answerOf(
  started: ReturnType<AnyOperation['run']>,
  emit: (event: CallEvent) => void,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(Symbol.asyncIterator in started)) return started;
  for (;;) {
    const step = await started.next();
    if (step.done) return step.value;
    emit(step.value);
    if (signal.aborted) {
      await started.return(undefined);
      signal.throwIfAborted();
    }
  }
}

async function checkCaller(app: App, operation: AnyOperation, { caller, input }: RunRequest): Promise<void> {
  try {
    refuseCaller(operation, caller);
    if (caller.access) requireRight(operation, caller.access, repositoryName(app));
  } catch (error) {
    await auditRefusal(app, { operation, caller, input }, error);
    throw error;
  }
}

function refuseCaller(operation: AnyOperation, caller: Caller): void {
  if (caller.kind !== 'person' && caller.kind !== 'agent' && caller.kind !== 'network') {
    throw new SylkError('DENIED', 'The caller is unknown.');
  }
  if (isForPersons(operation) && caller.kind !== 'person') {
    throw new SylkError(
      'DENIED',
      `${operation.name} is for a person, not for ${caller.kind === 'agent' ? 'an agent' : 'a network token'}.`,
      {
        hint: 'Ask the person to run it in a terminal.',
      },
    );
  }
  if (caller.readOnly && operation.effect !== 'read') {
    throw new SylkError('DENIED', `${operation.name} makes changes, and this server is read-only.`, {
      hint: 'Start it without --read-only.',
    });
  }
}

const deepestInput = 100;

/** Databases, paths, programs and file formats each fail differently on these characters, so operations never see them. */
function refuseUnreadable(given: unknown): void {
  const waiting: Array<{ value: unknown; name: string; depth: number }> = [
    { value: given, name: '', depth: 0 },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, name, depth } = next;
    if (typeof value === 'string') {
      const problem = value.includes('\0') ? 'a NUL character' : 'half a character';
      if (value.includes('\0') || !value.isWellFormed())
        throw unreadable(`${name || 'The input'} contains ${problem}.`, 'Remove that character.');
    } else if (value !== null && typeof value === 'object') {
      if (depth === deepestInput)
        throw unreadable(
          `The input is nested more than ${deepestInput} levels deep.`,
          'Send fewer nested levels.',
        );
      for (const [key, inner] of Object.entries(value)) {
        const outer = name ? `${name}.` : '';
        const inside = Array.isArray(value) ? name : `${outer}${key}`;
        waiting.push({ value: inner, name: inside, depth: depth + 1 });
        if (/[\0\ud800-\udfff]/.test(key)) waiting.push({ value: key, name: 'A name in the input', depth });
      }
    }
  }
}

const unreadable = (message: string, hint: string): SylkError =>
  new SylkError('VALIDATION_ERROR', message, { hint });

function parseInput(operation: AnyOperation, input: unknown, called: string): unknown {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new SylkError('VALIDATION_ERROR', `${called}: ${explain(parsed.error)}`, {
    hint: `Inputs: ${Object.keys(operation.input.shape).join(', ')}. Example: ${JSON.stringify(operation.examples[0] ?? {})}`,
  });
}

function parseOutput(operation: AnyOperation, output: unknown): unknown {
  const parsed = operation.output.safeParse(output);
  if (parsed.success) return parsed.data;
  throw new SylkError(
    'INTERNAL_ERROR',
    `${operation.name} returned an invalid result: ${explain(parsed.error)}`,
    {
      hint: 'This is a bug in Sylk. Run `sylk debug bundle` to collect the details for a report.',
    },
  );
}

const explain = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map(({ path, message }) => {
      if (path.length === 0) return message;
      const name = path.join('.');
      return message.endsWith('received undefined') ? `Missing ${name}.` : `${name}: ${message}`;
    })
    .join('; ');

const libraryDamaged = (cause: unknown): SylkError =>
  new SylkError('UNAVAILABLE', 'The library is damaged.', {
    hint: 'Run the command again: readable data is moved to a new library. Run `sylk doctor` for details.',
    cause,
  });
